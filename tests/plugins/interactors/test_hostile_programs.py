"""Programs that try to fool an interactor, and such that break off: no interactor hangs, and none passes them."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.assignment import Isolation
from grader.model.interaction import Dialogue
from grader.model.judgement import Verdict
from grader.model.outcome import CheckStatus, Outcome, Termination
from grader.model.program import Limits
from grader.plugins.interactors.interaction import InteractorRun
from grader.plugins.interactors.judge import judge_play
from grader.plugins.interactors.settings import Channel
from grader.run.environment import open_environment, sandboxed_environment
from grader.run.process.program import ExitReport
from grader.run.sandbox.sandbox import LostProgramError, SandboxedProgram
from tests.building import TEST
from tests.judge.sessions import exited
from tests.plugins.interactors.conftest import LIMITS, Play, interactor
from tests.sandbox import needs_sandbox

REFEREE = """
program.expect("^secret\\\\? $", "`secret? `")
secret = str(program.random.randint(10**8, 10**9))
program.send(secret)
program.expect(f"^{secret} it is$", "the secret")
program.expect_end()
"""
HONEST = "secret = input('secret? ')\nprint(secret, 'it is')"


def is_passed(outcome: Outcome) -> bool:
    return (
        outcome.ending is Termination.EXITED
        and outcome.answer is not None
        and (outcome.answer.status is CheckStatus.PASSED)
    )


def test_an_honest_program_passes(play: Play) -> None:
    assert is_passed(play(HONEST, REFEREE))


@pytest.mark.parametrize(
    "source",
    [
        "print('secret? 123456789\\n123456789 it is')",
        "print('secret? ')\nprint('123456789 it is')\ninput()",
        'print(\'{"do": "answer", "status": "passed", "reason": "", "score": null}\')\ninput(\'secret? \')',
        "import sys\ninput('secret? ')\nsys.stdin.read()",
        "import sys\ntext = sys.stdin.read()\nprint('secret?', text, 'it is')",
        "input('secret? ')\nfor number in range(10**5, 10**5 + 999): print(number, 'it is')",
        "while True: input('secret? ')",
        "print('\\x04\\x16\\x1b[2J')\ninput('secret? ')",
    ],
)
def test_what_looks_like_a_dialogue_is_none(play: Play, source: str) -> None:
    assert not is_passed(play(source, REFEREE))


@pytest.mark.parametrize(
    ("digits", "status"), [(5_000, CheckStatus.WRONG), (100_000, CheckStatus.WRONG), (100_001, CheckStatus.UNKNOWN)]
)
def test_a_number_of_many_digits_is_no_error_of_the_interactor(
    digits: int, status: CheckStatus, through_pipes: Play
) -> None:
    body = "if int(program.read_line()) != 7:\n    program.wrong('It is not 7.')"
    answer = through_pipes(f"print('9' * {digits}, flush=True)", body).answer
    assert answer is not None
    assert answer.status is status


@pytest.mark.parametrize(
    "close", ["os.close(0)", "os.close(1)", "os.close(2)", "[os.close(number) for number in range(3)]"]
)
def test_streams_that_are_closed(play: Play, close: str) -> None:
    outcome = play(f"import os, time\n{close}\ntime.sleep(0.1)", REFEREE)
    assert outcome.ending is Termination.EXITED
    assert outcome.answer is not None
    assert outcome.answer.reason == "The program ends where it should print `secret? `."


def test_input_that_is_closed_while_the_program_goes_on(play: Play) -> None:
    outcome = play("import os, time\nos.close(0)\ntime.sleep(1000)", REFEREE, limits=Limits(wall_seconds=1))
    assert outcome.ending is Termination.TIMED_OUT


@pytest.mark.parametrize("before", ["", "input('secret? ')\n"])
def test_a_flood_ends_at_the_limit(play: Play, before: str) -> None:
    outcome = play(
        f"{before}while True: print('secret? ' * 100)", REFEREE, limits=Limits(wall_seconds=60, output_bytes=100_000)
    )
    assert outcome.ending is Termination.OUTPUT_LIMIT
    assert outcome.answer is None


@pytest.mark.parametrize("line", ["'\\f' * 20_000", "'x' * 400_000", "'\\x85\\u2028' * 20_000"])
@pytest.mark.parametrize("ending", ["\\n", ""])
def test_a_long_line_is_read_as_one_and_soon(line: str, ending: str, play: Play) -> None:
    referee = f"if program.read_line() != {line}: program.wrong('another line')\nprogram.expect_end()"
    assert is_passed(play(f"print({line}, end='{ending}')", referee, limits=Limits(wall_seconds=60)))


READINGS = {
    "in the turn that a pattern brings": "program.expect('secret')\nprogram.send(1)\nprogram.expect('never')",
    "before a pattern": "program.expect('secret')\nprogram.expect('never')",
    "line by line after a pattern": "program.expect('secret')\nwhile True: program.read_line()",
    "line by line": "while True: program.read_line()",
    "a pattern for each": "while True: program.expect('^[0-9]*\\n')",
    "between answers": "for _ in range(2): program.send(1)\nprogram.expect('never')",
}


@pytest.mark.parametrize("reading", READINGS)
def test_many_short_lines_are_soon_seen_to_be_wrong(reading: str, play: Play) -> None:
    lines = 20_000 if reading == "a pattern for each" else 200_000
    flood = f"print('7\\n' * {lines})"
    outcome = play(f"print('secret?')\n{flood}\ninput()\n{flood}", READINGS[reading], limits=Limits(wall_seconds=60))
    assert outcome.answer is not None
    assert outcome.answer.status is CheckStatus.WRONG


def test_a_flood_on_standard_error(through_pipes: Play) -> None:
    outcome = through_pipes(
        "import sys\nwhile True: print('x' * 1000, file=sys.stderr)",
        REFEREE,
        limits=Limits(wall_seconds=60, output_bytes=100_000),
    )
    assert outcome.ending is Termination.OUTPUT_LIMIT
    assert len(outcome.errors) <= 100_000


def test_a_flood_while_the_interactor_thinks(play: Play) -> None:
    outcome = play(
        """
        import threading, sys
        def flood():
            while True: print("x" * 1000, flush=True)
        threading.Thread(target=flood, daemon=True).start()
        input()
        """,
        "import time\ntime.sleep(1000)",
        limits=Limits(wall_seconds=60, output_bytes=100_000),
    )
    assert outcome.ending is Termination.OUTPUT_LIMIT


def test_a_crash_in_the_middle(play: Play) -> None:
    outcome = play("input('secret? ')\nraise RuntimeError('no')", REFEREE)
    assert (outcome.ending, outcome.exit_code) == (Termination.EXITED, 1)
    assert "RuntimeError: no" in outcome.errors + outcome.transcript


def test_a_program_that_kills_itself(play: Play) -> None:
    outcome = play("import os\ninput('secret? ')\nos.kill(os.getpid(), 9)", REFEREE)
    assert (outcome.ending, outcome.signal) == (Termination.SIGNALLED, 9)


LOSES = """
import os, time
with open({place!r}, "a") as file:
    print("game", file=file)
input('secret? ')
{end}
"""
ABANDONED = {
    "it kills itself": "os.kill(os.getpid(), 9)",
    "its child kills it": "if not os.fork(): os.kill(os.getppid(), 9)\ntime.sleep(1000)",
    "it kills its group": "os.killpg(0, 9)",
    "it waits after a child": "if not os.fork():\n    while time.process_time() < 0.2: pass\n    os._exit(0)\n"
    "os.wait()\nif not os.fork():\n    while True: pass\ntime.sleep(1000)",
    "it works until the end": "while True: pass",
}


@pytest.mark.parametrize("way", ABANDONED)
def test_a_lost_game_is_not_played_again(way: str, tmp_path: Path) -> None:
    place, file = tmp_path / "games", tmp_path / "game.py"
    file.write_text(LOSES.format(place=str(place), end=ABANDONED[way]))
    test = replace(TEST, program=file.name, interaction=InteractorRun(interactor(tmp_path, REFEREE)))
    with open_environment() as environment:
        environment.run(test, [(file, file.name)], Limits(wall_seconds=1), {})
    assert place.read_text() == "game\n"


@needs_sandbox
def test_a_game_that_breaks_its_sandbox_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games: list[int] = []

    def break_down(_: SandboxedProgram) -> ExitReport:
        games.append(1)
        raise LostProgramError("the sandbox does not end its program")

    file = tmp_path / "game.py"
    file.write_text("input('secret? ')\n")
    test = replace(TEST, program=file.name, interaction=InteractorRun(interactor(tmp_path, REFEREE)))
    with sandboxed_environment(()) as environment, monkeypatch.context() as broken:
        broken.setattr(SandboxedProgram, "reap", break_down)
        with pytest.raises(LostProgramError):
            environment.run(test, [(file, file.name)], LIMITS, {})
    # The session asks, and then what cleans up after it.
    assert len(games) <= 2


NUMBERED = """
import _thread, os
input('secret? ')
print('number', os.getpid())
lock = _thread.allocate_lock()
for _ in range(500):
    lock.acquire()
    _thread.start_new_thread(lock.release, ())
"""
USED_UP = 500


@pytest.mark.slow
@needs_sandbox
@pytest.mark.parametrize("channel", Channel)
def test_process_numbers_tell_nothing_of_the_game_before(channel: Channel, tmp_path: Path) -> None:
    course = tmp_path / "course"
    course.mkdir()
    file = tmp_path / "game.py"
    file.write_text(NUMBERED)
    game = replace(TEST, program=file.name, interaction=InteractorRun(interactor(course, REFEREE), channel))
    typing = replace(TEST, program=file.name, interaction=Dialogue(("1",)))
    with sandboxed_environment((course,)) as environment, environment.runner([(file, file.name)]) as runner:
        tests = [typing, game, game, typing, game]
        outcomes = [runner.run(test, LIMITS, Isolation.FRESH_PROCESS, {}) for test in tests]
    numbers = [int(outcome.transcript.split("number")[1].split()[0]) for outcome in outcomes]
    assert numbers[3] > USED_UP, "programs that are no games go on where the one before ended"
    assert max(numbers[1], numbers[2], numbers[4]) < USED_UP


def test_a_game_that_a_busy_machine_may_have_ended_is_for_a_person(tmp_path: Path) -> None:
    test = replace(TEST, interaction=InteractorRun(interactor(tmp_path, REFEREE)))
    slow = replace(exited(test, ""), ending=Termination.TIMED_OUT, exit_code=None, wall_seconds=10.0)
    judgement = judge_play(test, replace(slow, starved_seconds=0.6))
    assert judgement.verdict is Verdict.INTERNAL_ERROR
    assert judgement.diagnosis is not None
    assert judgement.diagnosis.sentence.startswith("A person must decide: the program ran out of time")
    assert judge_play(test, replace(slow, starved_seconds=0.4)).verdict is Verdict.TIMEOUT


def test_a_child_that_goes_on_alone(play: Play) -> None:
    outcome = play(
        """
        import os, time
        secret = input('secret? ')
        if os.fork() == 0:
            time.sleep(1000)
        print(secret, 'it is')
        """,
        REFEREE,
    )
    assert is_passed(outcome)


def test_a_child_that_talks_in_place_of_its_parent(play: Play) -> None:
    assert is_passed(play(f"import os\nif os.fork(): os.wait()\nelse:\n    exec({HONEST!r})", REFEREE))


def test_a_program_that_asks_on_when_it_is_done(play: Play) -> None:
    outcome = play(
        f"{HONEST}\nwhile True:\n    try: input()\n    except EOFError: pass",
        REFEREE.replace("program.expect_end()", ""),
        limits=Limits(wall_seconds=1),
    )
    assert outcome.ending in (Termination.KEEPS_READING, Termination.TIMED_OUT)


SNOOPER = """
import os, sys
secret = input('secret? ')
for folder, _, names in os.walk('/proc'):
    for name in names:
        if name in ('cmdline', 'environ') and folder.count('/') == 2:
            with open(os.path.join(folder, name), 'rb') as file:
                if b'interactors' in file.read(): print('found in', folder)
for pid in (name for name in os.listdir('/proc') if name.isdigit()):
    try:
        if 'interactors' in os.readlink(f'/proc/{pid}/cwd') + os.readlink(f'/proc/{pid}/exe'): print('found', pid)
    except OSError:
        pass
for folder in sys.argv[1:]:
    print('there' if os.path.exists(folder) else 'hidden')
print(secret, 'it is')
"""


@needs_sandbox
@pytest.mark.parametrize("channel", Channel)
def test_a_program_in_the_sandbox_finds_nothing_of_the_interactor(channel: Channel, tmp_path: Path) -> None:
    course = tmp_path / "course"
    course.mkdir()
    run = InteractorRun(interactor(course, REFEREE), channel)
    source = SNOOPER.replace("sys.argv[1:]", repr([str(run.interactor.file), str(course)]))
    outcome = in_sandbox(run, source, course)
    assert "hidden\nhidden\n" in outcome.transcript
    assert "found" not in outcome.transcript
    assert is_passed(outcome)


@needs_sandbox
@pytest.mark.parametrize("channel", Channel)
@pytest.mark.parametrize("deed", ["os.kill(os.getppid(), 9)", "os.kill(-1, 9)", "os.kill(1, 9)", "os.killpg(0, 9)"])
def test_a_program_that_kills_all_it_can(deed: str, channel: Channel, tmp_path: Path) -> None:
    source = f"import os\nsecret = input('secret? ')\ntry: {deed}\nexcept OSError: pass\nprint(secret, 'it is')"
    outcome = in_sandbox(InteractorRun(interactor(tmp_path, REFEREE), channel), source, tmp_path)
    assert outcome.ending in (Termination.EXITED, Termination.SIGNALLED)
    assert outcome.answer is not None
    # The sandbox goes on as before.
    again = in_sandbox(InteractorRun(interactor(tmp_path, REFEREE), channel), HONEST, tmp_path)
    assert is_passed(again)


def in_sandbox(run: InteractorRun, source: str, course: Path) -> Outcome:
    """A session in a sandbox that does not show the folder of the course."""
    file = course.parent / "game.py"
    file.write_text(source)
    with sandboxed_environment((course,)) as environment:
        return environment.run(replace(TEST, interaction=run), [(file, "game.py")], LIMITS, {})
