"""Chooses which tests of a self-check are run: by name, or those that failed the last time."""

import json
import os
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from grader.errors import nearest, quoted
from grader.model.judgement import Verdict
from grader.model.results import TestResult
from grader.selfcheck.check import CheckError, SelfCheck
from grader.selfcheck.running import after_a_failure, after_two_timeouts

_MOST_REMEMBERED = 200


def only_named(check: SelfCheck, patterns: Sequence[str]) -> SelfCheck:
    """The tests whose ids match one of `patterns`, in which `*`, `?` and `[…]` stand for characters as in a shell.

    Raises CheckError for a pattern that no test matches.
    """
    ids = [test.id for test in check.tests]
    for pattern in patterns:
        if not any(fnmatchcase(one, pattern) for one in ids):
            raise CheckError(f"No test is called {quoted(pattern)}{nearest(pattern, ids)}")
    return _only(check, {one for one in ids if any(fnmatchcase(one, pattern) for pattern in patterns)})


def only_failed(check: SelfCheck) -> SelfCheck:
    """The tests that failed when this program was last checked; all of them when none is remembered."""
    failed = set(_remembered().get(_key(check), ()))
    return _only(check, failed) if failed & {test.id for test in check.tests} else check


def remember_failed(check: SelfCheck, results: Iterable[TestResult]) -> None:
    """Remember which of the tests that were run failed; what is known of the others stays.

    Where nothing can be written, nothing is remembered.
    """
    verdicts = {result.test.id: result.verdict for result in results}
    remembered = _remembered()
    key = _key(check)
    before = [one for one in remembered.pop(key, ()) if one not in verdicts]
    failed = [test_id for test_id, verdict in verdicts.items() if verdict is not Verdict.PASSED]
    kept = [*remembered.items(), (key, [*before, *failed])][-_MOST_REMEMBERED:]
    with suppress(OSError, RuntimeError):
        file = _file()
        file.parent.mkdir(parents=True, exist_ok=True)
        new = file.with_name(f"{file.name}.{os.getpid()}")
        new.write_text(json.dumps(dict(kept)), encoding="utf-8")
        new.replace(file)


def chosen_tests(
    check: SelfCheck, *, names: Sequence[str], last_failed: bool, fail_fast: bool, run_all: bool
) -> SelfCheck:
    """The check with the tests that a command line asks for, and the rules for when to stop. Raises CheckError."""
    if names:
        check = only_named(check, names)
    if last_failed:
        check = only_failed(check)
    rules = (*((after_a_failure,) if fail_fast else ()), *(() if run_all else (after_two_timeouts,)))
    return replace(check, stop_rules=rules)


def _only(check: SelfCheck, ids: Collection[str]) -> SelfCheck:
    return replace(check, tests=tuple(test for test in check.tests if test.id in ids))


def _remembered() -> dict[str, list[str]]:
    try:
        found = json.loads(_file().read_text(encoding="utf-8"))
        return {str(key): [str(one) for one in ids] for key, ids in found.items()}
    except (OSError, RuntimeError, ValueError, AttributeError, TypeError):
        return {}


def _file() -> Path:
    """Where it is remembered, outside the folders of students and courses. Raises RuntimeError without a home."""
    caches = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(caches) if caches else Path.home() / ".cache") / "grader" / "last-failed.json"


def _key(check: SelfCheck) -> str:
    return f"{check.assignment.id} {Path(os.path.abspath(check.path))}"
