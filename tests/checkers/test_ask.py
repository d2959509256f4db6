"""Asking a checker: a process of its own, a limited time, and nothing of it charged to the student."""

import os
from decimal import Decimal
from pathlib import Path
from threading import Event, Timer

import pytest

from grader.checkers import ActualOutput, CheckResult, CheckStatus, passed, wrong
from grader.checkers import ask as asking
from grader.checkers.ask import CheckerError, ask
from grader.model.test import CheckerSettings

PRINTED = ActualOutput("3 4\udcff\n", "trouble", 2)


def checker(folder: Path, body: str, **options: str) -> CheckerSettings:
    file = folder / "mine.py"
    imports = "from dataclasses import replace\nfrom grader.checkers import passed, unknown, wrong"
    file.write_text(f"{imports}\n\n\ndef check(input, expected, actual{body}")
    return CheckerSettings("mine", file, tuple(options.items()))


def asked(one: CheckerSettings, seconds: float = 30, cancelled: Event | None = None) -> CheckResult:
    return ask(one, "seven", "expected", PRINTED, seconds=seconds, cancelled=cancelled)


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        ("): return passed()", CheckResult(CheckStatus.PASSED, "", None)),
        ("): return passed('slow', score='0.8')", CheckResult(CheckStatus.PASSED, "slow", Decimal("0.8"))),
        ("): return wrong('no')", CheckResult(CheckStatus.WRONG, "no", None)),
        ("): return unknown('hard')", CheckResult(CheckStatus.UNKNOWN, "hard", None)),
        ("): print('noise'); return passed(input + expected)", CheckResult(CheckStatus.PASSED, "sevenexpected", None)),
        ("): return wrong(actual.stdout + actual.stderr)", CheckResult(CheckStatus.WRONG, "3 4\udcff\ntrouble", None)),
        ("): return wrong(str(int('9' * 5000))[:2])", CheckResult(CheckStatus.WRONG, "99", None)),
        (
            "): return passed(str(int('9' * 100_001)))",
            CheckResult(CheckStatus.UNKNOWN, "The program printed a number of more than 100000 digits.", None),
        ),
        ("): return wrong(str(actual.exit_status))", CheckResult(CheckStatus.WRONG, "2", None)),
    ],
)
def test_what_a_checker_says(tmp_path: Path, body: str, answer: CheckResult) -> None:
    assert asked(checker(tmp_path, body)) == answer


def test_options_are_named_arguments(tmp_path: Path) -> None:
    assert asked(checker(tmp_path, ", *, depth): return wrong(depth)", depth="3")).reason == "3"


def test_files_beside_a_checker_count_as_they_are(tmp_path: Path) -> None:
    """Also where neither the size nor the time of the file tells of the change."""
    mine = checker(tmp_path, "):\n    from beside import WORD\n    return wrong(WORD)")
    for word in ("first", "other"):
        (tmp_path / "beside.py").write_text(f"WORD = {word!r}\n")
        os.utime(tmp_path / "beside.py", (1_700_000_000, 1_700_000_000))
        assert asked(mine).reason == word
    assert not (tmp_path / "__pycache__").exists()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("): return 1 / 0", "The checker mine failed: ZeroDivisionError: division by zero"),
        ("): return int('x')", "The checker mine failed: ValueError: invalid literal for int()"),
        ("): return True", "TypeError: check() returned True"),
        ("): return wrong('no', score=2)", "ValueError: a score is a share from 0 to 1, not 2"),
        ("): return wrong('no', score=float('nan'))", "failed: ValueError: a score is a share from 0 to 1, not nan"),
        ("): return wrong('no', score=float('inf'))", "failed: ValueError: a score is a share from 0 to 1, not inf"),
        ("): return wrong('no', score='sNaN')", "failed: ValueError: a score is a share from 0 to 1, not sNaN"),
        ("): return passed('', score='half')", "failed: ValueError: a score is a share from 0 to 1, not half"),
        ("): return passed('', score=True)", "failed: ValueError: a score is a share from 0 to 1, not True"),
        ("): return replace(passed(), score=2)", "failed: ValueError: a score is a share from 0 to 1, not 2"),
        ("): return replace(passed(), score='x')", "failed: ValueError: a score is a share from 0 to 1, not x"),
        ("): raise SystemExit(0)", "The checker mine gave no answer"),
        ("): return [0] * 10**10", "The checker mine failed: MemoryError"),
    ],
)
def test_what_a_checker_does_wrong_is_an_error_of_ours(tmp_path: Path, body: str, said: str) -> None:
    with pytest.raises(CheckerError) as error:
        asked(checker(tmp_path, body))
    assert said in str(error.value)


def test_a_checker_that_does_not_end(tmp_path: Path) -> None:
    with pytest.raises(CheckerError, match="took too long"):
        asked(checker(tmp_path, "):\n    while True: pass"), seconds=0.3)


def test_a_long_answer_reaches_a_checker_that_is_slow_to_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = ActualOutput("1 2\n" * 500_000, "", 0)
    child = (
        "import sys, time; time.sleep(1); sys.path.insert(0, sys.argv[1]); "
        "from grader.checkers.child import main; main()"
    )
    monkeypatch.setattr(asking, "_CHILD", child)
    answer = ask(checker(tmp_path, "): return wrong(str(len(actual.stdout)))"), "", "", long)
    assert answer.reason == str(len(long.stdout))


def test_an_interrupted_checker(tmp_path: Path) -> None:
    stop = Event()
    Timer(0.2, stop.set).start()
    with pytest.raises(CheckerError, match="was interrupted"):
        asked(checker(tmp_path, "):\n    while True: pass"), cancelled=stop)


def test_shares_are_checked_at_once() -> None:
    assert wrong("half", 0.5).score == passed(score="0.5").score == Decimal("0.5")
    with pytest.raises(ValueError, match="share"):
        wrong("less than nothing", -1)
