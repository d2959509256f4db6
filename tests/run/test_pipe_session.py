"""Sessions through pipes, as on systems without terminals, and as far as possible like those in one."""

import textwrap
from pathlib import Path
from threading import Event

import pytest

from grader.errors import SessionError
from grader.model.outcome import Outcome, Termination, TypedLine
from grader.model.program import Limits
from grader.run.interface import Launch
from grader.run.portable.runner import pipe_runners, python_through_pipes, write_startup
from grader.run.portable.session import QuietTimes, run_dialogue_by_pipes, run_stdin_by_pipes

QUICK = QuietTimes(at_prompt=0.1, otherwise=3.0)


def launch(folder: Path, source: str) -> Launch:
    (folder / "program.py").write_text(textwrap.dedent(source))
    return python_through_pipes(["program.py"], folder, write_startup(folder / "startup"))


def converse(
    folder: Path,
    source: str,
    *inputs: str,
    echo: bool = True,
    seconds: float = 20,
    output_bytes: int = 100_000,
    line_end: str = "\n",
    cancelled: Event | None = None,
) -> Outcome:
    return run_dialogue_by_pipes(
        launch(folder, source),
        inputs,
        echo=echo,
        limits=Limits(wall_seconds=seconds, output_bytes=output_bytes),
        cancelled=cancelled or Event(),
        quiet_times=QUICK,
        line_end=line_end,
    )


GAME = """
    total = 0
    for n in range(2):
        total += int(input(f'Number {n}? '))
        print('so far', total)
    input('Done? ')
    print('the end 🂡')
    """


def test_typed_lines_stand_where_a_terminal_would_show_them(tmp_path: Path) -> None:
    outcome = converse(tmp_path, GAME, "1", "2", "done")
    assert outcome.transcript == "Number 0? 1\nso far 1\nNumber 1? 2\nso far 3\nDone? done\nthe end 🂡\n"
    assert outcome.typed == (TypedLine(10, "1"), TypedLine(31, "2"), TypedLine(48, "done"))
    assert (outcome.ending, outcome.exit_code, outcome.unsent) == (Termination.EXITED, 0, 0)


def test_without_echo_only_the_output_is_there(tmp_path: Path) -> None:
    outcome = converse(tmp_path, GAME, "1", "2", "done", echo=False)
    assert outcome.transcript == "Number 0? so far 1\nNumber 1? so far 3\nDone? the end 🂡\n"


def test_work_after_a_line_is_waited_for_when_a_prompt_follows(tmp_path: Path) -> None:
    source = """
        import time
        input('A? ')
        time.sleep(0.3)
        input('B? ')
        """
    assert converse(tmp_path, source, "1", "2").transcript == "A? 1\nB? 2\n"


def test_the_end_of_input_and_a_crash(tmp_path: Path) -> None:
    outcome = converse(tmp_path, "input('A? ')\ninput('B? ')\n", "1")
    assert outcome.transcript.startswith("A? 1\nB? Traceback (most recent call last):\n")
    assert outcome.transcript.endswith("EOFError: EOF when reading a line\n")
    assert 'File "program.py", line 2' in outcome.transcript
    assert outcome.exit_code == 1


def test_what_was_not_asked_for_is_not_typed(tmp_path: Path) -> None:
    outcome = converse(tmp_path, "print('bye')\n", "1", "2")
    assert (outcome.transcript, outcome.unsent) == ("bye\n", 2)


@pytest.mark.parametrize("inputs", [(), ("1",)])
def test_an_endless_loop_is_ended(tmp_path: Path, inputs: tuple[str, ...]) -> None:
    outcome = converse(tmp_path, "while True: pass\n", *inputs, seconds=0.3)
    assert (outcome.ending, outcome.exit_code) == (Termination.TIMED_OUT, None)


@pytest.mark.slow
def test_waiting_for_quiet_does_not_count(tmp_path: Path) -> None:
    outcome = converse(tmp_path, "for _ in range(2): input()\n", *"12", seconds=4)
    assert outcome.ending is Termination.EXITED


def test_a_flood_is_cut(tmp_path: Path) -> None:
    outcome = converse(tmp_path, "while True: print('x' * 100)\n", output_bytes=1000)
    assert (outcome.ending, len(outcome.transcript)) == (Termination.OUTPUT_LIMIT, 1000)


def test_a_signal_is_told(tmp_path: Path) -> None:
    outcome = converse(tmp_path, "import os; os.kill(os.getpid(), 9)\n")
    assert (outcome.ending, outcome.signal) == (Termination.SIGNALLED, 9)


def test_it_can_be_cancelled(tmp_path: Path) -> None:
    cancelled = Event()
    cancelled.set()
    assert converse(tmp_path, "input()", "1", cancelled=cancelled).ending is Termination.CANCELLED


def test_other_line_ends(tmp_path: Path) -> None:
    source = """
        import sys
        sys.stdout.reconfigure(newline='\\r\\n')
        print('got', repr(sys.stdin.buffer.readline()))
        """
    assert converse(tmp_path, source, "1", line_end="\r\n").transcript == "1\ngot b'1\\r\\n'\n"


def test_what_the_program_started_may_keep_its_output_open(tmp_path: Path) -> None:
    source = (
        "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(5)']); print('a')\n"
    )
    outcome = converse(tmp_path, source)
    assert (outcome.transcript, outcome.ending) == ("a\n", Termination.EXITED)
    assert outcome.wall_seconds < 4


def test_bytes_that_are_no_text_survive(tmp_path: Path) -> None:
    assert converse(tmp_path, "import os; os.write(1, b'\\xff')\n").transcript == "\udcff"


def test_a_program_that_cannot_be_started(tmp_path: Path) -> None:
    broken = Launch(argv=(str(tmp_path / "nothing"),), workdir=tmp_path, environment={})
    with pytest.raises(SessionError, match="cannot start"):
        run_dialogue_by_pipes(broken, (), echo=True, limits=Limits(), cancelled=Event())
    with pytest.raises(SessionError, match="cannot start"):
        run_stdin_by_pipes(broken, "", limits=Limits(), cancelled=Event())


def test_a_file_as_standard_input(tmp_path: Path) -> None:
    source = "import sys; print(input(), input()); print('oh', file=sys.stderr); sys.exit(3)\n"
    outcome = run_stdin_by_pipes(launch(tmp_path, source), "a\nb\n", limits=Limits(), cancelled=Event())
    assert (outcome.transcript, outcome.errors, outcome.exit_code) == ("a b\n", "oh\n", 3)


@pytest.mark.parametrize(
    ("source", "ending"),
    [("while True: pass", Termination.TIMED_OUT), ("while True: print('x' * 1000)", Termination.OUTPUT_LIMIT)],
)
def test_limits_with_a_file_as_standard_input(tmp_path: Path, source: str, ending: Termination) -> None:
    limits = Limits(wall_seconds=0.3 if ending is Termination.TIMED_OUT else 30, output_bytes=10_000)
    outcome = run_stdin_by_pipes(launch(tmp_path, source), "", limits=limits, cancelled=Event())
    assert outcome.ending is ending
    assert len(outcome.transcript) <= 10_000


def test_places_are_gone_afterwards() -> None:
    with pipe_runners() as places:
        assert places.scratch.is_dir()
    assert not places.scratch.exists()


def test_the_program_sees_nothing_of_the_way_it_is_started(tmp_path: Path) -> None:
    source = """
        import os, sys
        print('PYTHONPATH' in os.environ, any('startup' in path for path in sys.path))
        """
    assert converse(tmp_path, source).transcript == "False False\n"


@pytest.mark.parametrize("name", ["PYTHONHASHSEED", "PYTEST_ADDOPTS"])
def test_what_steers_python_or_pytest_is_not_handed_on(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(name, "17")
    source = f"import os; print(os.environ.get({name!r}) == '17')"
    assert converse(tmp_path, source).transcript == "False\n"


def test_output_comes_line_by_line_as_in_a_terminal(tmp_path: Path) -> None:
    source = """
        import os
        print('a')
        print('b', end=' ')
        os.write(1, b'c\\n')
        """
    assert converse(tmp_path, source).transcript == "a\nc\nb "
