"""Removes the lines that are not needed to show a failure."""

from collections.abc import Callable


def fewest_lines(lines: tuple[str, ...], shows: Callable[[tuple[str, ...]], bool]) -> tuple[str, ...]:
    """Return the lines for which `shows` is still true, so that no more can be removed; it must be true for `lines`.

    Ever smaller blocks are removed, starting from the end, so that most unnecessary lines cost few attempts.
    """
    size = max(1, len(lines) // 2)
    while True:
        before = lines
        end = len(lines)
        while end > 0:
            start = max(0, end - size)
            fewer = lines[:start] + lines[end:]
            if shows(fewer):
                lines = fewer
            end = start
        if size == 1 and lines == before:
            return lines
        size = max(1, size // 2)
