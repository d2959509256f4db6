"""Generation: small references are run in a real terminal."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.authoring.generate import GenerationError, generate
from grader.authoring.repeatable import NondeterministicReferenceError
from grader.expected.transcripts import read_transcript, write_transcript
from grader.model.assignment import Assignment
from grader.run.environment import RunEnvironment, open_environment
from grader.spec.load import load_assignment

ASSIGNMENT = """\
format: 1
id: demo
title: Demo
programs:
  - {file: game.py, reference: solved.py, variants: [canonical, wordy]}
parts:
  - {id: play, title: Playing, marks: 1}
due: 2025-10-27 11:59
time_zone: Australia/Sydney
limits: {wall_seconds: 20}
"""
TESTS = "format: 1\nprogram: game.py\npart: play\npoints: 1\ntests:\n  - "


@pytest.fixture(scope="module")
def shared_environment() -> Iterator[RunEnvironment]:
    with open_environment() as environment:
        yield environment


@pytest.fixture
def environment(shared_environment: RunEnvironment) -> Iterator[RunEnvironment]:
    """A failure sets `cancelled`, after which a environment is no more used; here it is for the next test."""
    yield shared_environment
    shared_environment.cancelled.clear()


def demo(folder: Path, test: str, reference: str | None = None, assignment: str = ASSIGNMENT) -> Assignment:
    specs = folder / "test_specs" / "demo"
    (specs / "tests").mkdir(parents=True)
    (specs / "assignment.yaml").write_text(assignment)
    (specs / "tests" / "play.yaml").write_text(TESTS + test)
    (folder / "reference").mkdir()
    if reference is not None:
        (folder / "reference" / "solved.py").write_text(reference)
    return load_assignment(specs, folder / "reference")


def generated(assignment: Assignment, environment: RunEnvironment) -> dict[str, str]:
    texts = generate(assignment, assignment.tests, environment, jobs=2, tick=lambda: None)
    assert {file.parent for file in texts} == {assignment.folder / "expected"}
    return {file.name: text for file, text in texts.items()}


def failure(assignment: Assignment, environment: RunEnvironment) -> str:
    with pytest.raises(GenerationError) as caught:
        generate(assignment, assignment.tests, environment, jobs=1, tick=lambda: None)
    assert not (assignment.folder / "expected").exists()
    return str(caught.value)


def test_a_reference_answers_as_each_variant_under_the_name_of_the_program(
    tmp_path: Path, environment: RunEnvironment
) -> None:
    reference = 'import os, sys\nprint(sys.argv[0], os.environ["REFERENCE_VARIANT"], input("? "))\n'
    ticks: list[None] = []
    assignment = demo(tmp_path, "{id: t-$n, for: {n: [01, x]}, points: 0.5, input: [$n ä]}", reference)
    texts = generate(assignment, assignment.tests, environment, jobs=2, tick=lambda: ticks.append(None))
    assert {file.name: text for file, text in texts.items()} == {
        "t-01.canonical.txt": "? 01 ä\ngame.py canonical 01 ä\n",
        "t-01.wordy.txt": "? 01 ä\ngame.py wordy 01 ä\n",
        "t-x.canonical.txt": "? x ä\ngame.py canonical x ä\n",
        "t-x.wordy.txt": "? x ä\ngame.py wordy x ä\n",
    }
    assert len(ticks) == 4
    assert not (assignment.folder / "expected").exists(), "generate writes nothing"


@pytest.mark.slow
def test_at_the_prompt_the_reference_is_imported_under_the_name_of_the_program(
    tmp_path: Path, environment: RunEnvironment
) -> None:
    reference = "import os\n\n\ndef play():\n    print(os.environ['REFERENCE_VARIANT'])\n"
    texts = generated(demo(tmp_path, "{id: t, repl: [from game import play, play()]}", reference), environment)
    assert texts["t.wordy.txt"] == ">>> from game import play\n>>> play()\nwordy\n>>> \n"


def test_without_echo_the_transcript_is_what_the_program_printed(tmp_path: Path, environment: RunEnvironment) -> None:
    texts = generated(demo(tmp_path, "{id: t, input: [5], echo: false}", "print(int(input()) * 2)\n"), environment)
    assert texts["t.canonical.txt"] == "10\n"


def test_bytes_that_are_not_utf_8_survive(tmp_path: Path, environment: RunEnvironment) -> None:
    content = bytes(range(128, 256)) + b"\x1b[1m\x0c\rno end"
    reference = f"import sys\nsys.stdout.buffer.write({content!r})\n"
    assignment = demo(tmp_path, "{id: t, input: []}", reference)
    text = generated(assignment, environment)["t.canonical.txt"]
    write_transcript(tmp_path / "a.txt", text)
    assert (tmp_path / "a.txt").read_bytes() == content
    assert read_transcript(tmp_path / "a.txt") == text


def test_a_reference_may_have_to_fail(tmp_path: Path, environment: RunEnvironment) -> None:
    texts = generated(
        demo(tmp_path, "{id: t, input: [], exit_status: 3}", "print('no')\nraise SystemExit(3)\n"), environment
    )
    assert texts["t.canonical.txt"] == "no\n"


SUBJECT = "The reference solved.py (variant canonical) fails the test t: "
FAILURES = [
    ("print(1 / 0)", "input: []", "its exit status is 1, the test says 0", "ZeroDivisionError: division by zero\n"),
    ("print('fine')", "input: [], exit_status: 1", "its exit status is 0, the test says 1", "fine\n"),
    ("input('a? ')\ninput('b? ')", "input: [1]", "its exit status is 1, the test says 0", "EOFError\n"),
    ("while True:\n    try:\n        input('? ')\n    except EOFError:\n        pass", "input: [1]",
     "it asks for more input than the test gives", "? "),
    ("print(input('a? '))", "input: [1, two, 3]", "it ended before the input `two` was read", "a? 1\n1\n"),
    ("import os\nos.kill(os.getpid(), 9)", "input: []", "The program was ended by SIGKILL", ""),
]  # fmt: skip


@pytest.mark.parametrize(
    ("reference", "test", "fault", "end"), FAILURES, ids=[str(number) for number in range(len(FAILURES))]
)
def test_a_reference_that_fails_is_named_with_the_test(
    reference: str, test: str, fault: str, end: str, tmp_path: Path, environment: RunEnvironment
) -> None:
    said = failure(demo(tmp_path, f"{{id: t, {test}}}", f"{reference}\n"), environment)
    assert said.startswith(f"{SUBJECT}{fault}")
    assert "\nIts output ends with:\n" in said
    assert said.endswith(end)


@pytest.mark.parametrize("code", ["\\x1b[?1049h", "\\x1b[3;10H", "\\x1b[2;1f"])
def test_a_reference_that_draws_needs_keys(code: str, tmp_path: Path, environment: RunEnvironment) -> None:
    assignment = demo(tmp_path, "{id: t, input: [q]}", f"print('{code}Menu')\ninput()\n")
    assert "fails the test t: it draws on the screen (it moves the cursor): list `keys` instead of `input`" in failure(
        assignment, environment
    )


@pytest.mark.parametrize("code", ["\\x1b[2J\\x1b[H", "\\x1b[2J\\x1b[1;1H", "\\x1b[1;31m"])
def test_a_reference_that_clears_the_screen_or_changes_colours_prints_lines(
    code: str, tmp_path: Path, environment: RunEnvironment
) -> None:
    text = generated(demo(tmp_path, "{id: t, input: []}", f"print('{code}Menu')\n"), environment)["t.canonical.txt"]
    assert text.endswith("Menu\n")


def test_parts_of_the_output_can_be_checked_though_the_reference_draws(
    tmp_path: Path, environment: RunEnvironment
) -> None:
    test = "{id: t, input: [], expect: [{contains: Menu}]}"
    assignment = demo(tmp_path, test, "print('\\x1b[3;10HMenu')\n")
    assert generate(assignment, assignment.tests, environment, jobs=1, tick=lambda: None) == {}


@pytest.mark.parametrize("reference", ["print('Result')", "print('[' * 100_000)"])
def test_a_reference_that_prints_no_json_for_a_check_is_named_with_the_test(
    reference: str, tmp_path: Path, environment: RunEnvironment
) -> None:
    test = "{id: t, stdin_text: '', expect: [{lines: reference}, {json: reference}]}"
    assert failure(demo(tmp_path, test, f"{reference}\n"), environment) == (
        "The reference of game.py (variant canonical) fails the test t: `json: reference` in `expect` asks for the "
        "JSON of the reference, which prints none."
    )


def test_a_variant_may_leave_input_where_the_test_says_so(tmp_path: Path, environment: RunEnvironment) -> None:
    texts = generated(
        demo(tmp_path, "{id: t, input: [1, two], may_leave_input: true}", "print(input('a? '))\n"), environment
    )
    assert texts["t.canonical.txt"] == "a? 1\n1\n"


@pytest.mark.parametrize(
    ("limits", "reference", "ending"),
    [
        ("wall_seconds: 0.5", "while True:\n    pass\n", "The program was still running after "),
        ("output_bytes: 1000", "print('x' * 2000)\n", "The program was stopped because it printed more"),
    ],
)
def test_a_reference_is_held_to_the_limits(
    limits: str, reference: str, ending: str, tmp_path: Path, environment: RunEnvironment
) -> None:
    assignment = demo(tmp_path, "{id: t, input: []}", reference, ASSIGNMENT.replace("wall_seconds: 20", limits))
    said = failure(assignment, environment)
    assert said.startswith(f"{SUBJECT}{ending}")
    assert len(said) < 700, "only the end of the output is shown"


def test_a_failing_variant_is_named(tmp_path: Path, environment: RunEnvironment) -> None:
    reference = "import os\nassert os.environ['REFERENCE_VARIANT'] == 'canonical'\n"
    said = failure(demo(tmp_path, "{id: t, input: []}", reference), environment)
    assert said.startswith("The reference solved.py (variant wordy) fails the test t: its exit status is 1")


def test_a_reference_is_started_as_submissions_are(tmp_path: Path, environment: RunEnvironment) -> None:
    own = ASSIGNMENT.replace("variants: [canonical, wordy]", "run: [python3, -O, game.py]")
    assignment = demo(tmp_path, "{id: first, input: []}", "print(__debug__)\n", own)
    generated = generate(assignment, assignment.tests, environment, jobs=1, tick=lambda: None)
    assert [*generated.values()] == ["False\n"]


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("gcc"), reason="needs the Debian package gcc")
def test_a_sanitizer_of_the_course_looks_at_the_reference(tmp_path: Path, environment: RunEnvironment) -> None:
    commands = 'build: [gcc, "-fsanitize=address", -o, game, -xc, game.py], run: [./game]'
    own = ASSIGNMENT.replace("solved.py, variants: [canonical, wordy]", f"solved.py, {commands}")
    assignment = demo(tmp_path, "{id: first, input: []}", "int main(void) { return 0; }\n", own)
    generate(assignment, assignment.tests, environment, jobs=1, tick=lambda: None)
    past = "int main(int n, char **words) { int last[2] = {0, 0}; return last[n + 1]; }\n"
    (tmp_path / "reference" / "solved.py").write_text(past)
    said = failure(assignment, environment)
    assert "it reads 1 element past the end of `last`, an array of 2\n" in said


def test_a_missing_reference_is_named(tmp_path: Path, environment: RunEnvironment) -> None:
    said = failure(demo(tmp_path, "{id: t, input: []}"), environment)
    assert said == f"The reference {tmp_path}/reference/solved.py is missing; game.py has tests but no reference."


def test_a_failure_ends_the_other_sessions(tmp_path: Path, environment: RunEnvironment) -> None:
    reference = "import sys\nif input() == '0':\n    sys.exit(1)\nwhile True:\n    pass\n"
    assignment = demo(tmp_path, "{id: t-$n, for: {n: 0..9}, points: 0.1, input: [$n]}", reference)
    with pytest.raises(GenerationError, match=r"fails the test t-0"):
        generate(assignment, assignment.tests, environment, jobs=2, tick=lambda: None)
    assert list(environment.scratch.glob("session-*")) == [], "all sessions are over"


@pytest.mark.slow
def test_what_a_function_must_do_is_generated(tmp_path: Path, environment: RunEnvironment) -> None:
    reference = "def f(n):\n    print(n)\n    n.append(input())\n    return len(n)\n"
    texts = generated(demo(tmp_path, "{id: t, call: f(n), variables: {n: [1]}, input: [x]}", reference), environment)
    said = '{\n "returned": 2,\n "printed": "[1]\\nx\\n",\n "given n": [1, "x"]\n}\n'
    assert texts == {"t.canonical.json": said, "t.wordy.json": said}


def test_a_reference_whose_function_does_not_return_is_named(tmp_path: Path, environment: RunEnvironment) -> None:
    said = failure(demo(tmp_path, "{id: t, call: f()}", "import os\ndef f():\n    os._exit(0)\n"), environment)
    assert said.startswith(f"{SUBJECT}its function does not return\n")


@pytest.mark.parametrize(
    ("call", "raised"),
    [("f()", "ZeroDivisionError: division by zero"), ("g()", "NameError: name 'g' is not defined")],
)
def test_an_exception_of_a_reference_may_be_a_slip(
    call: str, raised: str, tmp_path: Path, environment: RunEnvironment
) -> None:
    said = failure(demo(tmp_path, f"{{id: t, call: {call}}}", "def f():\n    return 1 / 0\n"), environment)
    assert said.startswith(f"{SUBJECT}`{call}` raises {raised}. If students' programs must raise it too, add ")


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("(one for one in 'ab')", "an object of generator"),
        ("[{1: __import__('collections').deque()}]", "an object of deque"),
    ],
)
def test_a_value_that_could_be_any_of_its_kind_is_refused(
    value: str, kind: str, tmp_path: Path, environment: RunEnvironment
) -> None:
    reference = f"def f():\n    return {value}\n"
    said = failure(demo(tmp_path, "{id: t, call: f()}", reference), environment)
    assert said.startswith(f"{SUBJECT}its function gives {kind}, of which only the kind can be compared. ")


@pytest.mark.slow
def test_a_value_that_is_not_compared_may_be_of_any_kind(tmp_path: Path, environment: RunEnvironment) -> None:
    reference = "def f():\n    print(1)\n    return iter('ab')\n"
    assert generated(demo(tmp_path, "{id: t, call: f(), checks: [output]}", reference), environment)


BY_CHANCE = {
    "chance": ("import random\nprint('start')\nprint(random.random())\n", "line 2"),
    "toss of a coin": ("import random\nprint(random.choice('abcd'))\n", "line 1"),
    "time": ("import random, time\nrandom.seed(int(time.time()))\nprint(random.random())\n", "line 1"),
    "process": ("import os\nprint(os.getpid())\n", "line 1"),
    "folder": ("import tempfile\nprint('in')\nprint(tempfile.mkdtemp())\n", "line 2"),
    "set": ("for word in {'one', 'two', 'three', 'four', 'five', 'six', 'seven'}:\n    print(word)\n", "line 1"),
    "more lines": ("import time\nprint('a\\n' * (int(time.time()) % 97))\n", "line"),
}


@pytest.mark.parametrize("cause", BY_CHANCE)
def test_a_reference_that_does_something_else_each_time_is_refused(
    cause: str, tmp_path: Path, environment: RunEnvironment
) -> None:
    reference, where = BY_CHANCE[cause]
    assignment = demo(tmp_path, "{id: t, input: []}", reference)
    with pytest.raises(NondeterministicReferenceError) as caught:
        generate(assignment, assignment.tests, environment, jobs=2, tick=lambda: None)
    said = str(caught.value)
    assert said.startswith("The reference solved.py does not behave the same each time it runs the test t: ")
    assert where in said.split(". ")[0]


@pytest.mark.parametrize(
    ("reference", "entry"),
    [
        ("import random\nrandom.seed(3)\nprint(random.random())\n", "{id: t, input: []}"),
        ("print(*sorted({'one', 'two', 'three'}))\n", "{id: t, input: []}"),
        (
            "import os\nprint('took', os.getpid(), 'ms')\n",
            "{id: t, input: [], compare: {wildcard_texts: ['<n>']}, expect: [{contains: took}]}",
        ),
        (
            "import random\nprint(f'about {1 + random.random() / 1e9:.12f}')\n",
            "{id: t, input: [], compare: {tolerance: 0.001}}",
        ),
    ],
    ids=["seeded", "sorted", "checked alone", "within the tolerance"],
)
def test_what_the_comparison_permits_may_be_another_the_second_time(
    reference: str, entry: str, tmp_path: Path, environment: RunEnvironment
) -> None:
    assignment = demo(tmp_path, entry, reference)
    assert generate(assignment, assignment.tests, environment, jobs=2, tick=lambda: None) is not None
