"""A module put beside a reference while `grader generate` runs it; the text that `because` returns carries its rule.

The rule is marked with private-use characters, which no game prints, and `rationale` removes them from the transcript.
A reference that runs anywhere else finds no such module.
"""

START, END = "\U000f0000", "\U000f0001"


def because(rule: str, text: str) -> str:
    """Return `text`, to be printed, with `rule` marked as the reason for each of its lines."""
    return "\n".join(f"{START}{rule}{END}{line}" for line in text.split("\n"))
