"""A module available to a reference while `grader generate` runs it; `because` marks text with the rule behind it.

The marks are private-use characters, which games do not print, and `rationale` removes them from the transcript. The
module does not exist when a reference runs anywhere else.
"""

START, END = "\U000f0000", "\U000f0001"


def because(rule: str, text: str) -> str:
    """Return `text`, to be printed, with `rule` marked as the reason for each of its lines."""
    return "\n".join(f"{START}{rule}{END}{line}" for line in text.split("\n"))
