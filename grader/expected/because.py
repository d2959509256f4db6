"""Lies beside a reference while `grader generate` runs it: what `because` returns carries the rule behind it.

The marks are characters for private use, which no game prints. `reasons` takes them out of the transcript again. A
reference that runs anywhere else finds no such module.
"""

START, END = "\U000f0000", "\U000f0001"


def because(rule: str, text: str) -> str:
    """Return `text`, to be printed, with `rule` marked as the reason for each of its lines."""
    return "\n".join(f"{START}{rule}{END}{line}" for line in text.split("\n"))
