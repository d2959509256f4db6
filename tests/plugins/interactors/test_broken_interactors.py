"""Interactors that fail: it is said what is wrong with them, and no program is charged for it."""

import fcntl
from pathlib import Path
from threading import Event

import pytest

from grader.checkers import CheckStatus
from grader.plugins.interactors.interaction import InteractorRun
from grader.plugins.interactors.process import InteractorError, started_interactor
from grader.plugins.interactors.protocol import Turn
from grader.plugins.interactors.settings import InteractorSettings
from tests.plugins.interactors.conftest import Play, interactor

SOURCE = "while True: print(input('? '))"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            "program.send('x')\n1 / 0",
            "The interactor mine failed: ZeroDivisionError: division by zero (mine.py, line 3)",
        ),
        (
            "return False",
            "TypeError: play() returned False; expected program.passed(), program.wrong(reason) or no value",
        ),
        ("raise SystemExit(0)", "The interactor mine failed: it ended with exit status 0 and no answer"),
        ("raise KeyboardInterrupt", "The interactor mine failed: KeyboardInterrupt"),
        ("program.expect('(')", "The interactor mine failed: "),
        ("program.send('two\\nlines')", "ValueError: send() types one line, not 'two\\nlines' (mine.py, line 2)"),
        ("program.wrong('no', score=2)", "ValueError: a score is a share from 0 to 1, not 2 (mine.py, line 2)"),
        ("program.wrong('no', score=float('nan'))", "ValueError: a score is a share from 0 to 1, not nan"),
        ("program.passed(score=2)", "ValueError: a score is a share from 0 to 1, not 2"),
        ("program.options['depth']", "KeyError: 'depth' (mine.py, line 2)"),
        ("[0] * 10**10", "MemoryError"),
        ("import os\nos._exit(3)", "it ended with exit status 3 and no answer"),
        ("import os\nos.kill(os.getpid(), 9)", "it ended with exit status -9 and no answer"),
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module' (mine.py, line 2)"),
    ],
)
def test_what_an_interactor_does_wrong_is_an_error_of_ours(at_terminal: Play, body: str, said: str) -> None:
    with pytest.raises(InteractorError) as error:
        at_terminal(SOURCE, body)
    assert said in str(error.value)


@pytest.mark.parametrize(
    "body",
    [
        "try:\n    program.expect('never')\nexcept:\n    pass",
        "try:\n    program.expect('never')\nexcept BaseException:\n    program.passed()",
        "try:\n    program.wrong('no')\nfinally:\n    return",
    ],
)
def test_what_was_found_first_is_not_taken_back(play: Play, body: str) -> None:
    outcome = play("print('hello')", body)
    assert outcome.answer is not None
    assert outcome.answer.status is CheckStatus.WRONG


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def play(program:", "SyntaxError"),
        ("def pley(program): pass", "has no attribute 'play'"),
        ("def play(): pass", "TypeError: play() takes 0 positional arguments but 1 was given"),
    ],
)
def test_files_that_are_no_interactors(tmp_path: Path, text: str, said: str) -> None:
    settings = interactor(tmp_path, "pass")
    settings.file.write_text(text)
    assert said in failure(settings)


def test_a_file_that_is_gone(tmp_path: Path) -> None:
    settings = interactor(tmp_path, "pass")
    settings.file.unlink()
    assert "FileNotFoundError" in failure(settings)


def failure(settings: InteractorSettings) -> str:
    """What is said of an interactor that fails at once."""
    with pytest.raises(InteractorError) as error, started_interactor(InteractorRun(settings)) as process:
        process.request(60)
    return str(error.value)


@pytest.mark.parametrize("body", ["while True: pass", "import time\ntime.sleep(1000)"])
def test_an_interactor_that_does_not_end(tmp_path: Path, body: str) -> None:
    run = InteractorRun(interactor(tmp_path, body))
    with pytest.raises(InteractorError, match="took too long"), started_interactor(run, seconds=0.5) as process:
        process.request(60)


def test_an_interactor_that_does_not_listen(tmp_path: Path) -> None:
    run = InteractorRun(interactor(tmp_path, "import time\ntime.sleep(1000)"))
    with pytest.raises(InteractorError, match="does not listen"), started_interactor(run, seconds=0.5) as process:
        process.tell(Turn("x" * 1_000_000, has_ended=False))


@pytest.mark.parametrize("line", ["hello", "[]", '{"do": "send"}', '{"do": "send", "line": "a\\\\nb"}'])
def test_an_interactor_that_breaks_the_protocol(tmp_path: Path, line: str) -> None:
    body = f"import os\nfor number in range(3, 50):\n    try: os.write(number, b'{line}\\n')\n    except OSError: pass"
    assert "breaks the protocol" in failure(interactor(tmp_path, body))


def test_what_an_interactor_prints_goes_nowhere(play: Play) -> None:
    outcome = play("input()", "import os\nprint('noise' * 100_000)\nos.write(1, b'noise')\nprogram.send('x')")
    assert outcome.answer is not None
    assert outcome.transcript.strip() in ("", "x")


def test_an_interactor_that_catches_everything_it_can(play: Play) -> None:
    outcome = play("print('one')", "try: program.expect('two')\nexcept Exception: pass")
    assert outcome.answer is not None
    assert outcome.answer.reason.startswith("The program ends where it should print")


def test_nothing_of_an_interactor_is_left(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    body = f"""
        import fcntl, os, time
        fcntl.flock(os.open({str(lock)!r}, os.O_CREAT | os.O_RDWR), fcntl.LOCK_EX)
        if os.fork() == 0: time.sleep(1000)
        program.send("locked")
        """
    with started_interactor(InteractorRun(interactor(tmp_path, body))) as process:
        assert process.request(60) is not None
    with lock.open() as file:
        # The child would keep it for a quarter of an hour.
        fcntl.flock(file, fcntl.LOCK_EX)


def test_an_interactor_is_ended_when_work_is_cancelled(play: Play) -> None:
    cancelled = Event()
    cancelled.set()
    assert play("print('done')", "while True: pass", cancelled=cancelled).answer is None
