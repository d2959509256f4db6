"""What a workflow gets is compared with stored files, character by character.

To accept a change, run `python -m tests.plugins.github.test_report`, read the difference, and commit it.
"""

import re
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import pytest
from rich.text import Text

from grader.plugins.github.report import check_log, check_summary, class_log, class_summary
from tests.reports import rubric_example
from tests.reports.graded_example import CLASS
from tests.reports.test_golden_reports import PARTIAL_CHECK, RUBRIC_CHECK, checked, in_chinese

GOLDEN = Path(__file__).parent / "golden"


def log(lines: Iterable[str]) -> str:
    """The lines of a workflow log; tokens, which cannot be foretold, are all the same."""
    return re.sub(r"\b[0-9a-f]{32}\b", "TOKEN", "".join(f"{line}\n" for line in lines))


REPORTS: dict[str, Callable[[], str]] = {
    "partial-check.log": lambda: log(check_log(PARTIAL_CHECK, lambda name: name)),
    "partial-check.md": lambda: check_summary(PARTIAL_CHECK),
    "check.log": lambda: log(check_log(checked(CLASS.rows[1].graded), lambda name: f"week 1/{name}")),
    "check.md": lambda: check_summary(checked(CLASS.rows[1].graded)),
    "rubric-check.log": lambda: log(check_log(RUBRIC_CHECK, lambda name: name)),
    "rubric-check.md": lambda: check_summary(RUBRIC_CHECK),
    "class.log": lambda: log(class_log(CLASS, [Text("the table")])),
    "class.md": lambda: class_summary(CLASS),
    "rubric-class.md": lambda: class_summary(rubric_example.CLASS),
}
REPORTS |= {f"zh_CN-{name}": partial(in_chinese, REPORTS[name]) for name in ("check.log", "check.md")}


@pytest.mark.parametrize("name", REPORTS)
def test_report_is_as_stored(name: str) -> None:
    stored = REPORTS[name]()
    assert stored == (GOLDEN / name).read_bytes().decode()
    assert "\x1b" not in stored


def test_a_job_summary_does_not_say_that_failures_are_left_out_which_it_shows() -> None:
    check = checked(CLASS.rows[1].graded, show=0)
    assert "not shown" in "".join(check_log(check, lambda name: name))
    assert "not shown" not in check_summary(check)
    assert check_summary(check).count("<details>") == 1


if __name__ == "__main__":
    for name, render in REPORTS.items():
        (GOLDEN / name).write_bytes(render().encode())
