"""The results of a student's own tests on the programs of a test, in the form used in outcomes."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, cast

from grader.model.codec import from_plain
from grader.model.outcome import Outcome

FIXTURES = (
    *("cache", "capfd", "capfdbinary", "caplog", "capsys", "capsysbinary", "monkeypatch", "pytestconfig", "recwarn"),
    *("record_property", "request", "tmp_path", "tmp_path_factory", "tmpdir", "tmpdir_factory"),
)
"""Names of parameters that only pytest can supply."""


class TrialEnd(StrEnum):
    """The result of a student's tests on one program: all passed, or the first thing that went wrong."""

    PASSED = "passed"
    FAILED = "failed"
    IMPORT = "import"
    NEEDS_PYTEST = "needs-pytest"
    NO_TESTS = "no-tests"
    ENDED = "ended"
    ENDLESS = "endless"


@dataclass(frozen=True, kw_only=True)
class TrialResult:
    """The result of a student's tests on one program, number `number` in `OwnTests.programs`.

    `tests` is the number of tests in the file. `test` names the first test that failed, and `error` is the class of its
    exception; `line` (None if unknown) and `code` are from the test file. Details that are not in the file are left
    out.
    """

    number: int
    end: TrialEnd
    tests: int
    test: str
    line: int | None
    code: str
    error: str


def reported(results: tuple[TrialResult, ...]) -> object:
    """Return the results in the form used in outcomes."""
    return [asdict(result) for result in results]


def trials_of(outcome: Outcome) -> tuple[TrialResult, ...]:
    """Return the results in an outcome, one for each program that was tried."""
    return tuple(from_plain(TrialResult, result) for result in cast("list[Any]", outcome.reported or []))
