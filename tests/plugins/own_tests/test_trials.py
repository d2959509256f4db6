"""The tests that students wrote, tried for real on programs of the instructor."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from grader.errors import SessionError
from grader.model.judgement import Judgement, Verdict
from grader.model.outcome import Outcome, Termination
from grader.model.program import Limits
from grader.model.test import Test
from grader.plugins.own_tests.interaction import OwnTests, TrialProgram
from grader.plugins.own_tests.judge import found_by_tests, judge_own_tests
from grader.plugins.own_tests.shared_trials import SharedTrials
from grader.plugins.own_tests.trial_report import without_comments
from grader.plugins.own_tests.trial_result import TrialEnd, TrialResult, reported, trials_of
from grader.run.environment import RunEnvironment, open_environment, sandboxed_environment
from grader.run.find_python import InstalledPackages, StudentPython
from grader.run.run_slots import RunSlots
from grader.store.stored_values import decode_outcome, encode_outcome
from tests import ROOT
from tests.building import TEST
from tests.judge.sessions import exited
from tests.sandbox import needs_sandbox

LIMITS = Limits(wall_seconds=60)
SHORT = Limits(wall_seconds=60, cpu_seconds=1)
RIGHT = TrialProgram("right.py", "def double(n):\n    return 2 * n\n")
WRONG = TrialProgram("wrong.py", "def double(n):\n    return n * n\n")
OWN = OwnTests("double.py", (RIGHT,), WRONG)
TRIAL = replace(TEST, program="test_double.py", title="numbers are squared", interaction=OWN)


@pytest.fixture(scope="module")
def environment() -> Iterator[RunEnvironment]:
    with open_environment() as opened:
        yield opened


@dataclass(frozen=True)
class Trials:
    """Tries tests that are made on the spot."""

    environment: RunEnvironment
    folder: Path

    def run(
        self, tests: str, own: OwnTests = OWN, limits: Limits = LIMITS, further: Sequence[tuple[Path, str]] = ()
    ) -> Outcome:
        file, student = self.folder / "test_double.py", self.folder / "double.py"
        file.write_text(tests)
        student.write_text("def double(n):\n    return 'of the student'\n")
        files = ((file, file.name), (student, student.name), *further)
        return self.environment.run(replace(TRIAL, interaction=own), files, limits, {})

    def judge(
        self, tests: str, own: OwnTests = OWN, limits: Limits = LIMITS, further: Sequence[tuple[Path, str]] = ()
    ) -> Judgement:
        return judge_own_tests(replace(TRIAL, interaction=own), own, self.run(tests, own, limits, further))


@pytest.fixture
def trials(environment: RunEnvironment, tmp_path: Path) -> Trials:
    return Trials(environment, tmp_path)


def sentence(judgement: Judgement) -> str:
    return judgement.diagnosis.sentence if judgement.diagnosis else ""


IMPORT = "from double import double\n\n\n"
CATCHES = f"{IMPORT}def test_two():\n    assert double(2) == 4\n\n\ndef test_three():\n    assert double(3) == 6\n"
REFUSES = "The tests refuse a program that is right, `right.py`: "
MISSES = "The tests do not catch a program that is wrong: "
NEEDS_PYTEST = (
    "test_double.py uses pytest, which the Python of this assignment does not have: the instructor has to add "
    "`packages: [pytest]` to assignment.yaml."
)
ENDINGS = [
    (CATCHES, Verdict.PASSED, ""),
    (f"{IMPORT}class TestDouble:\n    def test_three(self):\n        assert double(3) == 6\n", Verdict.PASSED, ""),
    (
        f"import unittest\n{IMPORT}class Double(unittest.TestCase):\n    def test_it(self):\n"
        "        self.assertEqual(double(3), 6)\n",
        Verdict.PASSED,
        "",
    ),
    (
        CATCHES.replace("double(3) == 6", "double(0) == 0"),
        Verdict.WRONG_OUTPUT,
        f"{MISSES}all 2 tests pass. It is this one: numbers are squared.",
    ),
    (
        f"import unittest\n{IMPORT}def test_three():\n    if double(3) == 9:\n        raise unittest.SkipTest('odd')\n",
        Verdict.WRONG_OUTPUT,
        f"{MISSES}all tests are skipped. It is this one: numbers are squared.",
    ),
    (
        f"{IMPORT}def test_two():\n    assert double(2) == 4\n",
        Verdict.WRONG_OUTPUT,
        f"{MISSES}the only test passes. It is this one: numbers are squared.",
    ),
    (
        CATCHES.replace("== 4", "== 5"),
        Verdict.WRONG_OUTPUT,
        f"{REFUSES}test_two fails in line 5 (`assert double(2) == 5`) with AssertionError.",
    ),
    (
        f"import unittest\n{IMPORT}class Double(unittest.TestCase):\n    def test_it(self):\n"
        "        self.assertEqual(double(3), 7)\n",
        Verdict.WRONG_OUTPUT,
        f"{REFUSES}Double.test_it fails in line 7 (`self.assertEqual(double(3), 7)`) with AssertionError.",
    ),
    (
        f"{IMPORT}def test_it():\n    exit()\n",
        Verdict.WRONG_OUTPUT,
        f"{REFUSES}test_it fails in line 5 (`exit()`) with SystemExit.",
    ),
    (f"{IMPORT}def test_it(capsys):\n    pass\n", Verdict.INTERNAL_ERROR, NEEDS_PYTEST),
    (f"{IMPORT}def test_it(monkeypatch, n=1):\n    pass\n", Verdict.INTERNAL_ERROR, NEEDS_PYTEST),
    (f"{IMPORT}class TestIt:\n    def test_it(self, tmp_path):\n        pass\n", Verdict.INTERNAL_ERROR, NEEDS_PYTEST),
    (
        f"{IMPORT}def test_it(number):\n    pass\n",
        Verdict.WRONG_OUTPUT,
        f"{REFUSES}test_it fails in line 4 (`def test_it(number):`) with TypeError.",
    ),
    (
        f"{IMPORT}def check(n: 'f(:)',\n    capsys):\n    pass\n\ntest_it = check\n",
        Verdict.INTERNAL_ERROR,
        NEEDS_PYTEST,
    ),
    (f"{IMPORT}test_it = lambda tmp_path: 1\n", Verdict.INTERNAL_ERROR, NEEDS_PYTEST),
    (f"{CATCHES}def test_more(capsys=None):\n    pass\n", Verdict.PASSED, ""),
    (
        "import nothing_here  # for pytest\n",
        Verdict.CRASH,
        "Python cannot import test_double.py: ModuleNotFoundError in line 1 (`import nothing_here  # for pytest`).",
    ),
    (
        "import nothing_here\n",
        Verdict.CRASH,
        "Python cannot import test_double.py: ModuleNotFoundError in line 1 (`import nothing_here`).",
    ),
    ("def test_it(:\n", Verdict.CRASH, "Python cannot import test_double.py: SyntaxError in line 1 (`def test_it(:`)."),
    ("exit()\n", Verdict.CRASH, "Python cannot import test_double.py: SystemExit in line 1 (`exit()`)."),
    (
        IMPORT,
        Verdict.WRONG_OUTPUT,
        "There are no tests in test_double.py: expected functions whose names begin with `test_`, or classes",
    ),
    (
        f"import unittest\n{IMPORT}@unittest.skip('later')\nclass Double(unittest.TestCase):\n"
        "    def test_it(self):\n        pass\n",
        Verdict.WRONG_OUTPUT,
        "There are no tests in test_double.py",
    ),
    (
        "import os\ndef test_it():\n    os._exit(0)\n",
        Verdict.EXIT_STATUS,
        "The tests in test_double.py end Python itself before they are over.",
    ),
    (
        "import os, signal\ndef test_it():\n    os.kill(os.getpid(), signal.SIGSEGV)\n",
        Verdict.EXIT_STATUS,
        "The tests in test_double.py end Python itself before they are over.",
    ),
]


@pytest.mark.parametrize(("tests", "verdict", "said"), ENDINGS)
def test_every_end_of_a_student_s_tests_has_a_sentence(tests: str, verdict: Verdict, said: str, trials: Trials) -> None:
    judgement = trials.judge(tests)
    assert (judgement.verdict, sentence(judgement)[: len(said) or None]) == (verdict, said)


SKIPS_A_PART = f"""import unittest
{IMPORT}
class Parts(unittest.TestCase):
    def test_parts(self):
        for number in (1, 2, 3):
            with self.subTest(number):
                if number == 1:
                    self.skipTest("later")
                self.assertEqual(double(number), 2 * number)
"""
SKIPS_A_CLASS = f"""import unittest
{IMPORT}
class Later(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise unittest.SkipTest("later")

    def test_it(self):
        pass

class Now(unittest.TestCase):
    def test_it(self):
        self.assertEqual(double(3), 6)
"""
CALLS_MAIN = f"""from unittest import TestCase, main
{IMPORT}
class Now(TestCase):
    def test_it(self):
        self.assertEqual(double(3), 6)

main()
"""
IMPORTS_ALL = CALLS_MAIN.replace("import TestCase, main", "import *")
RUNS_A_MODULE = """import runpy

def test_it():
    assert runpy.run_module("double")["double"](3) == 6
"""


@pytest.mark.parametrize("tests", [SKIPS_A_PART, SKIPS_A_CLASS, CALLS_MAIN, IMPORTS_ALL, RUNS_A_MODULE])
def test_parts_that_are_skipped_and_a_call_of_main_hide_no_tests(tests: str, trials: Trials) -> None:
    assert trials.judge(tests).verdict is Verdict.PASSED


@pytest.mark.slow
def test_an_endless_loop_with_a_good_program_is_told(trials: Trials) -> None:
    judgement = trials.judge("def test_it():\n    while True:\n        pass\n", limits=SHORT)
    assert judgement.verdict is Verdict.TIMEOUT
    assert "with a program that is right, `right.py`: is there an endless loop?" in sentence(judgement)


@pytest.mark.slow
def test_a_bad_program_that_tests_wait_for_is_refused(trials: Trials) -> None:
    waits = f"{IMPORT}import time\ndef test_it():\n    while double(3) != 6:\n        time.sleep(0.05)\n"
    for _ in range(3):
        with suppress(SessionError):  # only a busy machine may be the reason
            outcome = trials.run(waits, limits=Limits(wall_seconds=8))
            if outcome.ending is Termination.EXITED:
                assert judge_own_tests(TRIAL, OWN, outcome).verdict is Verdict.PASSED
            else:
                assert outcome.starved_seconds > 0, "only a busy machine may be the reason"


# Each process may have as much, all of them together may not.
COLLECTS = f"""
import os, signal
{IMPORT}def test_it():
    if double(3) != 6:
        for _ in range(8):
            if not os.fork():
                hog = bytearray(60_000_000)
                signal.pause()
        signal.pause()
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tests", "verdict"), [(COLLECTS, Verdict.PASSED), (COLLECTS.replace("!= 6", "> 0"), Verdict.MEMORY_LIMIT)]
)
def test_a_bad_program_with_which_tests_need_all_memory_is_refused(
    tests: str, verdict: Verdict, trials: Trials
) -> None:
    limits = replace(LIMITS, memory_bytes=200_000_000)
    assert trials.judge(tests, limits=limits).verdict is verdict


def test_tests_that_wait_end_at_the_limit(trials: Trials) -> None:
    judgement = trials.judge("import time\ndef test_it():\n    time.sleep(600)\n", limits=Limits(wall_seconds=1))
    assert judgement.verdict is Verdict.TIMEOUT
    assert sentence(judgement).endswith("do not end in time: does one of them wait for something?")


@pytest.mark.parametrize(
    "text",
    [
        "def double(n):\n    while n == 3: pass\n    return 2 * n\n",
        "import os\ndef double(n):\n    os._exit(0)\n",
        "def double(n):\n    raise SystemExit\n",
        "def triple(n):\n    return n\n",
        "1 / 0\n",
    ],
)
def test_a_bad_program_may_do_anything_and_is_caught(text: str, trials: Trials) -> None:
    own = replace(OWN, bad=TrialProgram("wrong.py", text))
    assert trials.judge(CATCHES, own, SHORT).verdict is Verdict.PASSED


def test_without_a_bad_program_it_is_enough_to_let_the_good_ones_pass(trials: Trials) -> None:
    other = TrialProgram("other.py", "def double(n):\n    return n + n\n")
    own = OwnTests("double.py", (RIGHT, other))
    assert trials.judge(CATCHES, own).verdict is Verdict.PASSED
    picky = CATCHES + "\n\ndef test_kind():\n    assert double('a') == 'aa'\n"
    assert trials.judge(
        picky, OwnTests("double.py", (RIGHT, TrialProgram("int.py", "double = lambda n: 2 * int(n)\n")))
    ).verdict is (Verdict.WRONG_OUTPUT)


def test_what_a_test_leaves_behind_does_not_reach_the_next_program(trials: Trials) -> None:
    tests = f"""\
import os
{IMPORT}def test_it():
    assert not os.path.exists("../left") and not os.path.exists("left")
    open("left", "w").close()
    assert double(3) == 6
"""
    assert trials.judge(tests).verdict is Verdict.PASSED


NAMED_AS_IN_THE_LIBRARY = """\
import signal
from random import three
from double import double

def test_it():
    assert double(signal.NUMBER) == 4
    assert double(three()) == 6
"""


def write_modules(folder: Path) -> tuple[tuple[Path, str], ...]:
    """Two modules of a student whose names are those of modules that trials use, one a folder."""
    (folder / "signal.py").write_text("NUMBER = 2\n")
    (folder / "random").mkdir()
    (folder / "random" / "__init__.py").write_text("def three():\n    return 3\n")
    return (folder / "signal.py", "signal.py"), (folder / "random" / "__init__.py", "random/__init__.py")


def test_modules_of_the_student_are_imported_before_those_of_the_library(trials: Trials) -> None:
    judgement = trials.judge(NAMED_AS_IN_THE_LIBRARY, further=write_modules(trials.folder))
    assert judgement.verdict is Verdict.PASSED, judgement.diagnosis


@pytest.mark.slow
def test_under_pytest_only_classes_that_the_student_wrote_are_run(tmp_path: Path) -> None:
    (tmp_path / "test_double.py").write_text(IMPORTS_ALL)
    assert [_try(program, tmp_path)["end"] for program in (RIGHT, WRONG)] == ["passed", "failed"]


@pytest.mark.slow
def test_under_pytest_modules_of_the_student_are_imported_before_those_of_the_library(tmp_path: Path) -> None:
    write_modules(tmp_path)
    (tmp_path / "test_double.py").write_text(NAMED_AS_IN_THE_LIBRARY)
    assert _try(RIGHT, tmp_path)["end"] == "passed"
    assert _try(WRONG, tmp_path)["end"] == "failed"


def test_the_text_of_a_program_is_in_no_file_and_nothing_is_printed(trials: Trials) -> None:
    tests = f"""\
import os
{IMPORT}def test_it():
    print(double(3))
    found = [os.path.join(folder, name) for folder, _, names in os.walk("..") for name in names]
    assert sorted(map(os.path.basename, found)) == ["double.py", "test_double.py", "test_double.py"]
    assert all(text not in open(one).read() for text in ("2" " * n", "n *" " n") for one in found)
    assert double(3) == 6
"""
    outcome = trials.run(tests)
    assert outcome.transcript == ""
    assert judge_own_tests(TRIAL, OWN, outcome).verdict is Verdict.PASSED


def words_in_memory(process: str) -> str:
    """The text of a student's tests that let every program pass in whose `process` the comments cannot be read."""
    return f"""\
import os
import re
{IMPORT}def hits(process):
    count = 0
    with open(f"/proc/{{process}}/maps") as maps, open(f"/proc/{{process}}/mem", "rb", 0) as memory:
        for line in maps:
            span, mode = line.split()[:2]
            start, end = (int(edge, 16) for edge in span.split("-"))
            if "rw" in mode:
                try:
                    memory.seek(start)
                    count += len(re.findall(b"[#] [W]RONG", memory.read(end - start)))
                except (OSError, ValueError, OverflowError):
                    continue
    return count


def test_it():
    assert hits({process}) == 0
"""


COMMENTED = OwnTests("double.py", (RIGHT,), TrialProgram("wrong.py", "# WRONG\n" * 300 + WRONG.text))


def test_comments_of_a_program_are_not_in_the_memory_of_its_tests(trials: Trials) -> None:
    judgement = trials.judge(words_in_memory('"self"'), COMMENTED)
    assert sentence(judgement).startswith(MISSES), judgement


@needs_sandbox
def test_tests_cannot_look_into_the_process_that_notes_what_they_find(tmp_path: Path) -> None:
    with sandboxed_environment(()) as environment:
        judgement = Trials(environment, tmp_path).judge(words_in_memory("os.getppid()"), COMMENTED)
    assert "PermissionError" in sentence(judgement), judgement


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# wrong\ndef f():  # wrong\n    return '#'\n", "\ndef f():  \n    return '#'\n"),
        ('"""\n# text\n"""\nf"{1:#x}"  # wrong', '"""\n# text\n"""\nf"{1:#x}"  '),
        ("x = 1\f\n\r# ♣\r\ny = '♣'  # wrong\r\n", "x = 1\f\n\n\ny = '♣'  \n"),
        ("def f(:  # a slip\n", "def f(:  # a slip\n"),
    ],
)
def test_comments_are_removed_and_lines_keep_their_numbers(text: str, expected: str) -> None:
    assert without_comments(text) == expected


def test_what_was_found_survives_the_store(trials: Trials) -> None:
    outcome = trials.run(CATCHES)
    assert [(one.number, one.end, one.test) for one in trials_of(outcome)] == [
        (0, TrialEnd.PASSED, ""),
        (1, TrialEnd.FAILED, "test_three"),
    ]
    assert decode_outcome(encode_outcome(outcome)) == outcome
    assert found_by_tests(OWN, outcome) == "right.py: accepted\nwrong.py: refused by test_three\n"


SEEN = "import zlib, double\nseen = zlib.crc32(double.double.__code__.co_code)\n"
TELLING = {
    "message": "def test_it():\n    raise AssertionError(f'digest {seen}')\n",
    "message of an import": "raise ImportError(f'digest {seen}')\n",
    "name of a test": "def fails():\n    assert False\nglobals()[f'test_{seen}'] = fails\n",
    "name of a method": (
        "import unittest\nclass Test(unittest.TestCase):\n    pass\n"
        "setattr(Test, f'test_{seen}', lambda self: self.fail())\n"
    ),
    "class of an exception": "def test_it():\n    raise type(f'E{seen}', (Exception,), {})\n",
    "number of tests": (
        "def passes():\n    pass\nfor number in range(1000 + seen % 1000):\n    globals()[f'test_{number}'] = passes\n"
        "def test_all():\n    pass\n"
    ),
    "line that is none": (
        "code = compile('\\n' * (seen % 10_000 + 1000) + 'assert False', __file__, 'exec')\n"
        "def test_it():\n    exec(code)\n"
    ),
    "text of the line": (
        "open(__file__, 'w').write(f'assert False, {seen}\\n' * 9)\ndef test_it():\n    assert False\n"
    ),
    "terminal": "open('/dev/tty', 'w').write(f'digest {seen}')\ndef test_it():\n    assert False\n",
    "end of the report": (
        "import json, os\nfor number in range(3, 250):\n    try:\n"
        "        os.write(number, json.dumps(dict(end='failed', test=f't{seen}', line=1, error=f'{seen}')).encode())\n"
        "    except OSError:\n        pass\nos._exit(0)\n"
    ),
}


@pytest.mark.parametrize("channel", TELLING)
def test_what_is_told_of_a_good_program_is_only_what_the_tests_have(channel: str, trials: Trials) -> None:
    """Two programs that differ in their code alone are told apart by the tests, and nothing of it is shown."""
    other = TrialProgram("right.py", "def double(n):\n    return n + n\n")
    told = []
    for program in (RIGHT, other):
        own = OwnTests("double.py", (program,), None if channel != "number of tests" else WRONG)
        outcome = trials.run(SEEN + TELLING[channel], own)
        quiet = replace(outcome, wall_seconds=0, cpu_seconds=0)
        told.append((sentence(judge_own_tests(TRIAL, own, outcome)), encode_outcome(quiet)))
    assert told[0] == told[1]
    assert told[0][0], "it says something"


RESULT = {"end": "failed", "test": "t", "line": 1, "error": ""}


@pytest.mark.parametrize(
    ("noted", "verdict"),
    [
        (json.dumps(RESULT), Verdict.WRONG_OUTPUT),
        (json.dumps({**RESULT, "end": "passed"}), Verdict.WRONG_OUTPUT),
        (json.dumps({**RESULT, "end": "caught"}), Verdict.EXIT_STATUS),
        (json.dumps({**RESULT, "end": "needs-pytest"}), Verdict.EXIT_STATUS),
        (json.dumps({"end": "import", "test": "", "line": 1, "error": "ModuleNotFoundError"}), Verdict.CRASH),
        (json.dumps({**RESULT, "end": ["passed"]}), Verdict.EXIT_STATUS),
        ('{"secret": "guessed", "found": []}', Verdict.EXIT_STATUS),
        ("[" * 50_000, Verdict.EXIT_STATUS),
        ("no JSON", Verdict.EXIT_STATUS),
    ],
)
def test_tests_that_note_something_themselves_win_no_more_than_by_a_guess(
    noted: str, verdict: Verdict, trials: Trials
) -> None:
    tests = f"""\
import os


def test_it():
    for number in range(3, 400):
        try:
            os.write(number, {noted.encode()!r})
        except OSError:
            pass
    os._exit(0)
"""
    assert trials.judge(tests).verdict is verdict


def test_tests_that_write_a_fixture_into_their_file_do_not_need_pytest(trials: Trials) -> None:
    noted = json.dumps({**RESULT, "end": "needs-pytest"}).encode()
    tests = f"""\
import os
open(__file__, "w").write("def test_it(cap" "sys): pass")
for number in range(3, 400):
    try:
        os.write(number, {noted!r})
    except OSError:
        pass
os._exit(0)
"""
    assert trials.judge(tests).verdict is Verdict.EXIT_STATUS


MANY = tuple(TrialProgram(f"wrong-{number}.py", f"def double(n):\n    return n + {number}\n") for number in range(3))
ALL_TESTS = [
    replace(TRIAL, id="accept", interaction=OwnTests("double.py", (RIGHT,))),
    *(replace(TRIAL, id=f"catch-{bad.name}", interaction=OwnTests("double.py", (RIGHT,), bad)) for bad in MANY),
]


@dataclass
class Order:
    """Notes what is tried and for how long, and lets all pass."""

    folder: Path
    tried: list[tuple[str, float]]

    def trials(self, tests: str) -> SharedTrials:
        file = self.folder / "test_double.py"
        file.write_text(tests)
        return SharedTrials(ALL_TESTS, [(file, file.name)])

    def run(self, test: Test, limits: Limits) -> Outcome:
        assert isinstance(test.interaction, OwnTests)
        [program] = test.interaction.programs
        self.tried.append((program.text, limits.wall_seconds))
        return let_pass()


def order_of(tests: str, asked: list[Test], folder: Path) -> list[str]:
    """The order in which programs are tried where the outcomes of `asked` are asked for."""
    order = Order(folder, [])
    trials = order.trials(tests)
    for test in asked:
        assert isinstance(test.interaction, OwnTests)
        trials.outcome(test, LIMITS, order.run)
    shares = dict(order.tried)
    assert len(shares) == len(order.tried) == 4, "each is tried once"
    assert set(shares.values()) == {30.0}, "the time tells no program"
    return list(shares)


@pytest.mark.slow
def test_each_program_is_tried_once_in_an_order_that_tells_nothing(tmp_path: Path) -> None:
    orders = [order_of(f"# {number}\n", ALL_TESTS, tmp_path) for number in range(200)]
    for place in range(4):
        first = [order[place] for order in orders]
        assert all(25 < first.count(program.text) < 80 for program in (RIGHT, *MANY))
    assert orders == [order_of(f"# {number}\n", ALL_TESTS[::-1], tmp_path) for number in range(200)]


def test_a_program_that_cannot_be_tried_costs_only_its_own_test(tmp_path: Path) -> None:
    order = Order(tmp_path, [])
    trials = order.trials("")

    def run(test: Test, limits: Limits) -> Outcome:
        outcome = order.run(test, limits)
        if order.tried[-1][0] == MANY[1].text:
            raise SessionError("no terminal is free")
        return outcome

    ends = []
    for test in ALL_TESTS:
        assert isinstance(test.interaction, OwnTests)
        try:
            trials.outcome(test, LIMITS, run)
            ends.append("")
        except SessionError as error:
            ends.append(str(error))
    assert ends == ["", "", "no terminal is free", ""]
    assert len(order.tried) == 4


def starved(*, seconds: float) -> Outcome:
    """A trial that ended at its limit on a machine that let it wait for so long."""
    timed_out = replace(exited(TRIAL, ""), ending=Termination.TIMED_OUT, exit_code=None)
    return replace(timed_out, wall_seconds=10.0, starved_seconds=seconds)


def let_pass() -> Outcome:
    found = TrialResult(number=0, end=TrialEnd.PASSED, tests=1, test="", line=None, code="", error="")
    return replace(exited(TRIAL, ""), wall_seconds=10.0, reported=reported((found,)))


def try_each(good: Outcome, *bad: Outcome, folder: Path) -> Outcome:
    """What comes of the trials when those of the bad program end so, one after the other."""
    waiting, slots = list(bad), RunSlots(2)
    (folder / "test_double.py").write_text("")

    def run(test: Test, _: Limits) -> Outcome:
        assert isinstance(test.interaction, OwnTests)
        is_good = test.interaction.programs[0].text == RIGHT.text
        return slots.run_with_retry(lambda: good if is_good else waiting.pop(0))

    trials = SharedTrials([TRIAL], [(folder / "test_double.py", "test_double.py")])
    outcome = trials.outcome(TRIAL, LIMITS, run)
    assert not waiting
    return outcome


def test_a_trial_that_a_busy_machine_may_have_ended_is_run_again(tmp_path: Path) -> None:
    # Of both trials together it is less than what counts.
    outcome = try_each(let_pass(), starved(seconds=0.6), starved(seconds=0.0), folder=tmp_path)
    assert judge_own_tests(TRIAL, OWN, outcome).verdict is Verdict.PASSED


def test_what_a_busy_machine_never_lets_us_know_costs_no_marks(tmp_path: Path) -> None:
    busy = starved(seconds=5.0)
    with pytest.raises(SessionError, match="too busy"):
        try_each(let_pass(), busy, busy, folder=tmp_path)
    refused = replace(let_pass(), reported=reported((replace(trials_of(let_pass())[0], end=TrialEnd.FAILED),)))
    assert judge_own_tests(TRIAL, OWN, try_each(refused, busy, busy, folder=tmp_path)).verdict is Verdict.WRONG_OUTPUT


KEEPING = """\
from pathlib import Path
from double import double

def places():
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "."):
        yield Path(folder, "seen")

def test_it():
    said = str(double(3))
    seen = {place.read_text() for place in places() if place.exists()}
    for place in places():
        try:
            place.write_text(said)
        except OSError:
            pass
    assert not seen, seen
"""


@needs_sandbox
def test_nothing_is_carried_from_one_trial_to_the_next(tmp_path: Path) -> None:
    many = tuple(replace(RIGHT, name=f"right-{number}.py") for number in range(3))
    with sandboxed_environment(()) as environment:
        assert Trials(environment, tmp_path).judge(KEEPING, OwnTests("double.py", many)).verdict is Verdict.PASSED


def test_a_trial_that_reports_nothing_costs_no_marks() -> None:
    judgement = judge_own_tests(TRIAL, OWN, exited(TRIAL, ""))
    assert judgement.verdict is Verdict.INTERNAL_ERROR
    interrupted = replace(exited(TRIAL, ""), ending=Termination.CANCELLED, exit_code=None)
    assert judge_own_tests(TRIAL, OWN, interrupted).verdict is Verdict.INTERNAL_ERROR


LINES_AND_ERRORS = {
    ("passed", False, ""),
    ("no-tests", False, ""),
    ("failed", True, "AssertionError"),
    ("failed", False, "LookupError"),
    ("import", True, "ModuleNotFoundError"),
    ("import", True, "SyntaxError"),
}
PYTEST = """\
import pytest
from double import double


@pytest.fixture
def three():
    return 3


@pytest.mark.parametrize("number", [0, 2])
def test_known(number, capsys, tmp_path):
    assert double(number) == 2 * number


def test_three(three):
    with pytest.raises(TypeError):
        double()
    assert double(three) == 6
"""


def slow(*case: object) -> ParameterSet:
    return pytest.param(*case, marks=pytest.mark.slow)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tests", "found"),
    [
        (PYTEST, [("passed", ""), ("failed", "test_three")]),
        slow(PYTEST.replace("== 6", "== 7"), [("failed", "test_three"), ("failed", "test_three")]),
        slow(PYTEST.replace("def three", "def four"), [("failed", "test_three"), ("failed", "test_three")]),
        slow("import nothing_here\n", [("import", ""), ("import", "")]),
        slow("def f(:\n", [("import", ""), ("import", "")]),
        slow("x = 1\n", [("no-tests", ""), ("no-tests", "")]),
        slow("import pytest\ndef test_it():\n    pytest.skip('later')\n", [("no-tests", ""), ("no-tests", "")]),
        slow("import unittest\nclass T(unittest.TestCase):\n    def test_it(self):\n        self.fail('no')\n",
             [("failed", "T.test_it"), ("failed", "T.test_it")]),
    ],
)  # fmt: skip
def test_pytest_runs_the_tests_where_the_interpreter_has_it(
    tests: str, found: list[tuple[str, str]], tmp_path: Path
) -> None:
    (tmp_path / "test_double.py").write_text(tests)
    reports = [_try(program, tmp_path) for program in (RIGHT, WRONG)]
    assert [(one["end"], one["test"]) for one in reports] == found, reports
    said = {(one["end"], bool(one["line"]), one["error"]) for one in reports}
    assert said <= LINES_AND_ERRORS


def _try(tried: TrialProgram, folder: Path) -> dict[str, Any]:
    """What this interpreter, which has pytest, finds of a program by the tests in `folder`."""
    (folder / "trial.py").write_text((ROOT / "grader" / "plugins" / "own_tests" / "child.py").read_text())
    request = {
        "program": "test_double.py",
        "module": "double",
        "text": tried.text,
        "cpu_seconds": 60,
        "secret": "s",
        "fixtures": [],
    }
    (folder / "request.json").write_text(json.dumps(request))
    with (folder / "report").open("w+b") as report:
        command = f'exec "$0" trial.py request.json 3>&{report.fileno()}'
        run = subprocess.run(
            ["bash", "-c", command, sys.executable],
            cwd=folder,
            pass_fds=[report.fileno()],
            capture_output=True,
            text=True,
            check=False,
        )
    assert run.returncode == 0, run.stderr
    content = json.loads((folder / "report").read_text())
    assert content["secret"] == "s"
    found: dict[str, Any] = content["found"]
    return found


SET_UP = """\
from double import double
seen = []
def setup_module(module):
    seen.append(module.__name__)
def setup_function():
    seen.append("function")
def teardown_function(function):
    seen.append(function.__name__)
def test_function():
    assert seen == ["test_double", "function"]
class TestDouble:
    @classmethod
    def setup_class(cls):
        cls.number = 3
    def setup_method(self, method):
        self.name = method.__name__
    def teardown_method(self):
        seen.append("method")
    def test_one(self):
        assert double(self.number) == 6 and self.name == "test_one"
    def test_two(self):
        assert seen[2:] == ["test_function", "method"], seen
"""


def test_what_is_to_be_set_up_before_tests(trials: Trials) -> None:
    assert trials.judge(SET_UP).verdict is Verdict.PASSED
    broken = SET_UP.replace("cls.number = 3", "cls.number = 1 / 0")
    assert "ZeroDivisionError" in str(trials.judge(broken).diagnosis)


def test_tests_cannot_claim_that_an_installed_pytest_is_missing(tmp_path: Path) -> None:
    packages = InstalledPackages(Path(pytest.__file__).parents[1], ("pytest",))
    claim = f"import sys\nsys.modules['pytest'] = None\nimport pytest\n{CATCHES}"
    with open_environment(StudentPython(packages=packages)) as environment:
        judgement = Trials(environment, tmp_path).judge(claim)
    assert (judgement.verdict, sentence(judgement)) == (
        Verdict.CRASH,
        "Python cannot import test_double.py: ModuleNotFoundError in line 3 (`import pytest`).",
    )
