"""Finds the report of a sanitizer or of valgrind in the output of a command."""

import re

from grader.judge.found_errors import found_errors

_OF_VALGRIND = re.compile(r"^==\d+== .*\n?", re.M)
_OF_SANITIZER = re.compile(r"^(?:=+\n)?(?:==\d+==ERROR: \w+Sanitizer: |.*: runtime error: )", re.M)


def report_in(printed: str) -> str:
    """Return the report if it names a line of a file, or an empty string."""
    by_sanitizer = _OF_SANITIZER.search(printed)
    report = printed[by_sanitizer.start() :] if by_sanitizer else "".join(_OF_VALGRIND.findall(printed))
    errors = found_errors(report) if report else ()
    return report if errors and errors[0].line is not None else ""
