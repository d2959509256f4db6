"""Loading an assignment: the messages about faulty files, which are a contract, and the values of good ones."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from grader.model.amount import total
from grader.model.assignment import AttemptPolicy, FileNamePolicy, SubmissionPolicy
from grader.model.ending import SUCCESS, ExitsBetween
from grader.model.interaction import Dialogue, ReplSession
from grader.model.program import AlternativeFile, BuildCommands, Limits
from grader.model.test import Visibility
from grader.plugins.late_policies.falling_cap import FallingCap
from grader.spec.languages import BUILD_LIMITS
from grader.spec.load import load_assignment
from tests import ROOT
from tests.spec.spec_folder import ASSIGNMENT, TESTS, load, problems_of, write_assignment

NO_NAME = "expected up to 100 letters, digits, `_`, `.` and `-`, beginning with a letter or digit"
NO_FILE_NAME = "expected a file name without a folder, such as solitaire_1.py"
NO_TIME = "expected a date and time such as 2025-10-27 11:59"
NO_ZONE = "expected the name of a time zone such as Australia/Sydney"
NO_RANGE = "expected a range of 1 to 10000 values, the smaller number first"
NO_NAME_OF_LOOP = "or all tests of the loop would have the same id"
NO_VALUES = "expected a list of values, or a range such as 0..9"
NOTHING_TYPED = "`input: []` is for a program to which nothing is typed"
NO_WAY = (
    "expected one of: `input` (lines typed into the program), `repl` (lines typed at Python's prompt), "
    "`stdin` (a file that the program reads), `stdin_text` (what it reads), "
    "`call` (of a function), `calls` (several), `command` (which must end with the exit status that is expected), "
    "`interactor` (which plays the other side), `keys` (the keys to press in a program that draws), "
    "`own_tests` (the program is a set of tests)"
)

# What the file says, what a slip makes of it, and the problems: line, column and message.
ASSIGNMENT_SLIPS = [
    ("format: 1", "", "2:1: the key `format` is missing here"),
    ("format: 1", "format: 2", "1:9: format 2 is newer than this grader, which reads format 1; upgrade it"),
    ("format: 1", "format: 0", "1:9: found `0`; expected `1`"),
    ("format: 1", "format: 1.0", "1:9: found `1.0`; expected `1`"),
    ("format: 1", "format:", "1:8: found nothing; expected `1`"),
    ("id: demo", "id: Demo", "2:5: found the id `Demo`; expected the name of the folder, `demo`"),
    ("id: demo", "id: ../demo", f"2:5: found `../demo`; {NO_NAME}"),
    ("id: demo", "id: [demo]", "2:5: found a list; expected a text"),
    (
        "title: Demo",
        "titel: Demo",
        "1:1: the key `title` is missing here\n3:1: unknown key `titel`; did you mean `title`?",
    ),
    ("title: Demo", "title: {a: b}", "3:8: found a mapping; expected a text"),
    ("title: Demo", "title: Demo\n<<: {a: b}", "4:1: unknown key `<<`"),
    ("title: Demo", 'title: Demo\n"\\e[31m": b', "4:1: unknown key `\\x1b[31m`"),
    # Lists and mappings in each other's place.
    ("  - file: game.py", "    file: game.py", "5:5: found a mapping; expected a list"),
    ("  - file: game.py", "    game.py", "5:5: found `game.py`; expected a list"),
    ("  - file: game.py", "    []", "5:5: found an empty list; expected at least one item"),
    ("  - file: game.py", "", "4:10: found nothing; expected a list"),
    ("  - file: game.py", "  - game.py", "5:5: found `game.py`; expected a mapping (key: value)"),
    ("  - file: game.py", "  - [game.py]", "5:5: found a list; expected a mapping (key: value)"),
    ("  - file: game.py", "  - file: game.py\n    file_name: x", "6:5: unknown key `file_name`; did you mean `file`?"),
    ("due: 2025", "late:\ndue: 2025", "8:6: found nothing; expected a mapping (key: value)"),
    ("due: 2025", "limits: 30\ndue: 2025", "8:9: found `30`; expected a mapping (key: value)"),
    # Names of files and variants.
    ("file: game.py", "file: a/game.py", f"5:11: found `a/game.py`; {NO_FILE_NAME}"),
    ("file: game.py", "file: ..", f"5:11: found `..`; {NO_FILE_NAME}"),
    ("file: game.py", "file: -c", f"5:11: found `-c`; {NO_FILE_NAME}"),
    ("file: game.py", "file:", f"5:10: found nothing; {NO_FILE_NAME}"),
    ("file: game.py", 'file: "game\\0.py"', f"5:11: found `game\\x00.py`; {NO_FILE_NAME}"),
    ("game.py", "game.py\n    reference: ../x.py", f"6:16: found `../x.py`; {NO_FILE_NAME}"),
    ("game.py", "game.py\n    variants: []", "6:15: found an empty list; expected at least one item"),
    (
        "game.py",
        "game.py\n    variants: [a_b]",
        "6:16: found `a_b`; expected lowercase letters, digits and single hyphens",
    ),
    ("game.py", "game.py\n    variants: [a, b, a]", "6:15: `a` is given twice"),
    ("game.py", "game.py\n  - file: game.py", "6:11: `game.py` is given twice"),
    ("game.py", "game.py\n    run: []", "6:10: found an empty list; expected at least one item"),
    ("game.py", "game.py\n    run: ./game", "6:10: found `./game`; expected a list"),
    (
        "game.py",
        "game.py\n    run: ['']",
        "6:11: found nothing; expected a command-line argument on one line, not empty",
    ),
    (
        "game.py",
        "game.py\n    build: [make]",
        "5:5: found `build` without `run`; expected the command that runs what was built",
    ),
    (
        "game.py",
        "game.py\n    alternatives: [{file: game.pl}]",
        "6:20: found `game.pl` without `run`; expected the command that runs it, "
        "or an ending of c, cc, cpp, cxx, java, js, mjs, rs",
    ),
    (
        "game.py",
        "game.py\n    build: {flag: [-Wall]}",
        "6:13: unknown key `flag`; did you mean `flags`?",
    ),
    (
        "game.py",
        "game.py\n    build: {flags: [-Wall]}\n    run: [./game]",
        "5:5: found settings as `build` with `run`; expected both commands, or settings alone. "
        "Commands of your own have it in them: `-fsanitize=address` where they compile, or "
        "`run: [valgrind, --leak-check=full, ./x]`",
    ),
    (
        "game.py",
        "game.py\n    build: {flags: [-Wall]}",
        "6:20: found `game.py`, a language whose commands are not known; expected `build` and `run` as lists of words",
    ),
    (
        "game.py",
        "game.py\n    alternatives: [{file: game.js, build: {flags: [-Wall]}}]",
        "6:51: found `game.js`, of which nothing is built; expected no `flags`",
    ),
    (
        "game.py",
        "game.py\n    alternatives: [{file: Game.java, build: {sanitizers: [address]}}]",
        "6:58: found `Game.java`; expected `sanitizers` with a program in C or C++",
    ),
    (
        "game.py",
        "game.py\n    alternatives: [{file: game.c, build: {sanitizers: [thread]}}]",
        "6:56: found `thread`; expected `address` or `undefined`",
    ),
    (
        "game.py",
        "game.py\n    alternatives: [{file: game.c, build: {sanitizers: [address], valgrind: true}}]",
        "6:42: found `sanitizers` and `valgrind`, which cannot run together; expected one of them",
    ),
    (
        "game.py",
        "game.py\n    alternatives: [{file: game.c, build: {leaks: false}}]",
        "6:42: found `leaks` without `valgrind` or the sanitizer `address`, which look for them",
    ),
    (
        "game.py",
        "game.py\n    alternatives: [{file: game.py, run: [x]}]",
        "6:27: `game.py` is given twice",
    ),
    (
        "due: 2025",
        "build_limits: {disk_bytes: 9}\ndue: 2025",
        "8:16: unknown key `disk_bytes`; did you mean `stack_bytes`?",
    ),
    # Marks, which are decimals that the points add up to.
    ("marks: 1", "marks: one", "7:39: found `one`; expected a number such as 3.5"),
    ("marks: 1", "marks: ٤", "7:39: found `٤`; expected a number such as 3.5"),
    ("marks: 1", "marks: 0", "7:39: found `0`; expected more than 0"),
    ("marks: 1", "marks: nan", "7:39: found `nan`; expected a finite number"),
    ("marks: 1", "marks: 1e400000", "7:39: found `1e400000`; expected at most 10000"),
    ("marks: 1", "marks: 0.00001", "7:39: found `0.00001`; expected at most 4 decimal places"),
    ("marks: 1", "marks: 2", "7:39: the tests of `play` give 1 points together; expected its marks, 2"),
    (
        "marks: 1}",
        "marks: 1}\n  - {id: other, title: Other, marks: 3}",
        "8:38: the tests of `other` give 0 points together; expected its marks, 3",
    ),
    ("marks: 1}", "marks: 1}\n  - {id: play, title: Again, marks: 1}", "8:10: `play` is given twice"),
    # Times.
    ("2025-10-27 11:59", "2025-13-01", f"8:6: found `2025-13-01`; {NO_TIME}"),
    ("2025-10-27 11:59", "2025-10-27", f"8:6: found `2025-10-27`; {NO_TIME}"),
    ("2025-10-27 11:59", "2025-02-30 11:59", f"8:6: found `2025-02-30 11:59`; {NO_TIME}"),
    ("2025-10-27 11:59", "2025-10-27 24:00", f"8:6: found `2025-10-27 24:00`; {NO_TIME}"),
    ("2025-10-27 11:59", "2025-10-27 11:59+11:00", f"8:6: found `2025-10-27 11:59+11:00`; {NO_TIME}"),
    ("2025-10-27 11:59", "0025-10-27 11:59", f"8:6: found `0025-10-27 11:59`; {NO_TIME}"),
    ("2025-10-27 11:59", "20251027", f"8:6: found `20251027`; {NO_TIME}"),
    ("2025-10-27 11:59", "[2025]", f"8:6: found a list; {NO_TIME}"),
    ("2025-10-27 11:59", "", f"8:5: found nothing; {NO_TIME}"),
    ("Australia/Sydney", "Australia/Sidney", f"9:12: found `Australia/Sidney`; {NO_ZONE}"),
    ("Australia/Sydney", "Australia", f"9:12: found `Australia`; {NO_ZONE}"),
    ("Australia/Sydney", "../etc/passwd", f"9:12: found `../etc/passwd`; {NO_ZONE}"),
    ("Australia/Sydney", "[a]", f"9:12: found a list; {NO_ZONE}"),
    ("Australia/Sydney", "", f"9:11: found nothing; {NO_ZONE}"),
    ("Australia/Sydney", "x" * 300, f"9:12: found `{'x' * 60}…`; {NO_ZONE}"),
    # The late policy and the limits.
    (
        "due: 2025",
        "late: {policy: falling-cap, percent_per_day: 101, max_days_late: 1.5, max_day_late: 3}\ndue: 2025",
        "8:46: found `101`; expected at most 100\n"
        "8:66: found `1.5`; expected a whole number\n"
        "8:71: unknown key `max_day_late`; did you mean `max_days_late`?",
    ),
    (
        "due: 2025",
        "late: {policy: falling}\ndue: 2025",
        "8:16: found `falling`; expected one of `falling-cap`, `linear`, `percent-per-day`, `percent-per-hour`, "
        "`points-per-hour`, `none`",
    ),
    ("due: 2025", "late: {late_days: 1}\ndue: 2025", "8:7: the key `policy` is missing here"),
    ("due: 2025", "late: falling-cap\ndue: 2025", "8:7: found `falling-cap`; expected a mapping (key: value)"),
    (
        "due: 2025",
        f"limits: {{wall_second: 3, wall_seconds: -1, output_bytes: 1, file_bytes: 1{'0' * 20}}}\ndue: 2025",
        "8:10: unknown key `wall_second`; did you mean `wall_seconds`?\n"
        "8:40: found `-1`; expected more than 0\n"
        "8:58: found `1`; expected at least 1000\n"
        f"8:73: found `1{'0' * 20}`; expected at most 1125899906842624",
    ),
    ("due: 2025", "limits: {wall_seconds: inf}\ndue: 2025", "8:24: found `inf`; expected a finite number"),
    (
        "due: 2025",
        f"limits: {{file_bytes: {'9' * 5000}}}\ndue: 2025",
        f"8:22: found `{'9' * 60}…`; expected a smaller whole number",
    ),
]

TESTS_SLIPS = [
    ("format: 1", "format: 0", "1:9: found `0`; expected `1`"),
    ("game.py", "gam.py", "2:10: there is no program `gam.py` in assignment.yaml; did you mean `game.py`?"),
    ("part: play", "part: ply", "3:7: there is no part `ply` in assignment.yaml; did you mean `play`?"),
    ("part: play", "part: xyz", "3:7: there is no part `xyz` in assignment.yaml; expected one of: play"),
    ("part: play", "part: [play]", "3:7: found a list; expected a text"),
    ("points: 1", "", "6:5: this test has no `points`, and the file gives none for all its tests"),
    ("points: 1", "points: -1", "4:9: found `-1`; expected at least 0"),
    ("  - {id: one, input: [1]}", "  {id: one, input: [1]}", "6:3: found a mapping; expected a list"),
    ("  - {id: one, input: [1]}", "  - one", "6:5: found `one`; expected a mapping (key: value)"),
    ("  - {id: one, input: [1]}", "", "5:7: found nothing; expected a list"),
    ("  - {id: one, input: [1]}", "  []", "6:3: found an empty list; expected at least one item"),
    ("id: one, ", "", "6:5: the key `id` is missing here"),
    ("id: one, ", "id: one, rows: [{a: 1}], ", "6:15: unknown key `rows`; did you mean `for`?"),
    (
        "id: one",
        "id: o ne",
        "6:10: found `o ne`; expected letters, digits, `_`, `.`, `-` and loop variables such as `$name`",
    ),
    ("id: one", f"id: {'x' * 101}", f"6:10: this makes the id `{'x' * 60}…`; {NO_NAME}"),
    ("id: one", "id: a$$b", f"6:10: this makes the id `a$$b`; {NO_NAME}"),
    ("id: one", "id: a{b}", "6:11: this is not valid YAML: "),
    ("id: one", "id: 'a{b}'", f"6:10: this makes the id `a{{b}}`; {NO_NAME}"),
    # What is typed.
    ("input: [1]", "points: 1", f"6:5: found none here; {NO_WAY}; {NOTHING_TYPED}"),
    ("input: [1]", "input: [1], repl: [1]", f"6:5: found `input` and `repl` here; {NO_WAY}"),
    ("input: [1]", "inputs: [1]", "6:15: unknown key `inputs`; did you mean `input`?"),
    ("input: [1]", "input: 1", "6:22: found `1`; expected a list"),
    ("input: [1]", "input: ", "6:22: found nothing; expected a list"),
    ("input: [1]", "input: [[1]]", "6:23: found a list; expected a text"),
    ("input: [1]", "input: [1, a: b]", "6:26: found a mapping; expected a text"),
    ("input: [1]", 'input: ["a\\nb"]', "6:23: found `a\\nb`; expected a single line without a line break"),
    ("input: [1]", 'input: ["a\\r"]', "6:23: found `a\\r`; expected a single line without a line break"),
    (
        "input: [1]",
        "input: [1], echo: maybe, exit_status: 256, visibility: secret, points: many",
        "6:33: found `maybe`; expected true or false\n"
        "6:53: found `256`; expected a number from 0 to 255, `any`, `nonzero`, or a signal such as SIGABRT\n"
        "6:70: found `secret`; expected `public` or `hidden`\n"
        "6:86: found `many`; expected a number such as 3.5",
    ),
    # Loops.
    ("id: one", "id: one, for: {n: 5}", f"6:10: the id must contain `$n`, {NO_NAME_OF_LOOP}"),
    ("id: one", "id: $$n, for: {n: 5}", f"6:10: the id must contain `$n`, {NO_NAME_OF_LOOP}"),
    ("id: one", "id: a-$m", "6:10: `$m` is not in `for`"),
    (
        "id: one",
        "id: $seed, for: {sed: 1}",
        f"6:10: `$seed` is not in `for`; did you mean `sed`?\n6:10: the id must contain `$sed`, {NO_NAME_OF_LOOP}",
    ),
    ("id: one", "id: a$", "6:10: found a single `$` in `a$`; expected `$name` of a loop, or `$$` for a dollar sign"),
    (
        "id: one, input: [1]",
        "id: $n, for: {n: 5}, title: 1 $, input: [$m, 2, $]",
        "6:34: found a single `$` in `1 $`; expected `$name` of a loop, or `$$` for a dollar sign\n"
        "6:47: `$m` is not in `for`; expected one of: n\n"
        "6:54: found a single `$` in `$`; expected `$name` of a loop, or `$$` for a dollar sign",
    ),
    ("id: one", "id: $N, for: {N: 5}", "6:20: found the loop name `N`; expected lowercase letters, digits and `_`"),
    ("id: one", "id: $n, for: [n]", "6:19: found `n`; expected a row with a value for each of: name"),
    ("id: one", "id: $n, for: {n: 9..0}", f"6:23: found `9..0`; {NO_RANGE}"),
    ("id: one", "id: $n, for: {n: 0..99999999}", f"6:23: found `0..99999999`; {NO_RANGE}"),
    ("id: one", "id: $n, for: {n: 0..10000}", f"6:23: found `0..10000`; {NO_RANGE}"),
    ("id: one", f"id: $n, for: {{n: 0..{'9' * 5000}}}", f"6:23: found `0..{'9' * 57}…`; {NO_RANGE}"),
    ("id: one", "id: $n, for: {n: []}", f"6:23: found an empty list; {NO_VALUES}"),
    ("id: one", "id: $n, for: {n: {a: b}}", f"6:23: found a mapping; {NO_VALUES}"),
    ("id: one", "id: $n, for: {n: [[1]]}", "6:23: found a list; expected one line of text as a value of the loop"),
    ("id: one", 'id: $n, for: {n: ["a\\nb"]}', "6:23: found `a\\nb`; expected one line of text as a value of the loop"),
    (
        "id: one",
        "id: $n-$m, for: {n: 1..1000, m: 1..1000}",
        "6:22: found 1000000 combinations of values; expected at most 10000",
    ),
    ("id: one", "id: a-$n, for: {n: [1, ../x, ' ']}", f"6:10: this makes the id `a-../x`; {NO_NAME}"),
    ("id: one", "id: a-$n, for: {n: [1, 1]}", "6:10: there is another test with the id `a-1` (tests/play.yaml:6:5)"),
    (
        "input: [1]}",
        "input: [1]}\n  - {id: two, input: [1], points: 0}\n  - {id: one, input: [2], points: 0}",
        "8:10: there is another test with the id `one` (tests/play.yaml:6:5)",
    ),
]


def placed(file: str, message: str) -> str:
    return "\n".join(f"{file}:{line}" for line in message.splitlines())


@pytest.mark.parametrize(("was", "now", "message"), ASSIGNMENT_SLIPS, ids=[slip[1][:40] for slip in ASSIGNMENT_SLIPS])
def test_a_slip_in_the_assignment_file(was: str, now: str, message: str, tmp_path: Path) -> None:
    assert was in ASSIGNMENT
    said = problems_of(write_assignment(tmp_path, assignment=ASSIGNMENT.replace(was, now, 1)))
    assert said == placed("assignment.yaml", message)


@pytest.mark.parametrize(("was", "now", "message"), TESTS_SLIPS, ids=[slip[1][:40] for slip in TESTS_SLIPS])
def test_a_slip_in_a_tests_file(was: str, now: str, message: str, tmp_path: Path) -> None:
    assert was in TESTS
    said = problems_of(write_assignment(tmp_path, play=TESTS.replace(was, now, 1)))
    if message.endswith("not valid YAML: "):
        assert said.startswith(placed("tests/play.yaml", message))
        _, line, caret = said.splitlines()
        assert (line.strip() in TESTS.replace(was, now, 1), caret.strip()) == (True, "^")
    else:
        assert said == placed("tests/play.yaml", message)


def test_all_problems_of_all_files_at_once(tmp_path: Path) -> None:
    folder = write_assignment(
        tmp_path,
        assignment=ASSIGNMENT.replace("Demo", "[Demo]").replace("marks: 1", "marks: -1"),
        first=TESTS.replace("points: 1", "point: 1").replace("[1]", "1"),
        second="a: 'b\n",
        third=TESTS.replace("part: play", "part: ply"),
    )
    assert problems_of(folder).splitlines() == [
        "assignment.yaml:3:8: found a list; expected a text",
        "assignment.yaml:7:39: found `-1`; expected more than 0",
        "tests/first.yaml:4:1: unknown key `point`; did you mean `points`?",
        "tests/first.yaml:6:22: found `1`; expected a list",
        "tests/second.yaml:2:1: the text in quotes that begins in line 1 does not end; expected the same quote after "
        "it",
    ]


def test_files_are_checked_against_each_other_even_when_another_is_faulty(tmp_path: Path) -> None:
    folder = write_assignment(
        tmp_path,
        assignment=ASSIGNMENT.replace("marks: 1", "marks: 7"),
        first=TESTS.replace("part: play", "part: ply"),
        second=TESTS.replace("[1]", "1"),
        third=TESTS,
    )
    assert problems_of(folder).splitlines() == [
        "tests/first.yaml:3:7: there is no part `ply` in assignment.yaml; did you mean `play`?",
        "tests/second.yaml:6:22: found `1`; expected a list",
        "tests/third.yaml:6:10: there is another test with the id `one` (tests/first.yaml:6:5)",
    ]


def test_missing_files(tmp_path: Path) -> None:
    folder = write_assignment(tmp_path)
    (folder / "assignment.yaml").unlink()
    (folder / "tests" / "play.yaml").unlink()
    assert problems_of(folder).splitlines() == [
        "assignment.yaml:1:1: the file cannot be read: No such file or directory",
        "tests:1:1: found no *.yaml file; expected the tests here",
    ]


def test_hidden_files_of_editors_and_systems_are_no_tests(tmp_path: Path) -> None:
    folder = write_assignment(tmp_path)
    (folder / "tests" / "._play.yaml").write_bytes(b"\x00\x05\x16\x07")
    (folder / "tests" / ".#play.yaml").symlink_to("user@host.1234")
    assert [test.id for test in load(folder).tests] == ["one"]


def test_what_is_left_out_has_its_default(tmp_path: Path) -> None:
    assignment = load(write_assignment(tmp_path))
    assert assignment.late is None
    assert assignment.limits == Limits()
    program = assignment.program_of["game.py"]
    assert (program.reference, program.variants) == (tmp_path / "reference" / "game.py", ("canonical",))
    test = assignment.tests[0]
    assert (test.title, test.visibility, test.interaction) == ("", Visibility.HIDDEN, Dialogue(("1",), echo=True))
    assert (test.ending, test.points) == (SUCCESS, Decimal(1))


def test_what_is_given_is_taken(tmp_path: Path) -> None:
    assignment = load(
        write_assignment(
            tmp_path,
            assignment=ASSIGNMENT.replace(
                "game.py\n",
                "game.py\n    reference: solved.py\n    variants: [b, a]\n"
                "late: {policy: falling-cap, percent_per_day: 2.5, max_days_late: 4}\n"
                "limits: {wall_seconds: 0.5, output_bytes: 1000, memory_bytes: 50000000, file_bytes: 0}\n",
            ),
            play=TESTS.replace("[1]", "[1], visibility: public, echo: false, exit_status: 3")
            + "  - {id: two, title: Two, repl: [a], points: 0}\n",
        )
    )
    assert assignment.late == FallingCap(Decimal("2.5"), 4)
    limits = assignment.limits
    assert (limits.wall_seconds, limits.output_bytes, limits.memory_bytes, limits.file_bytes) == (
        0.5,
        1000,
        50_000_000,
        0,
    )
    assert assignment.programs[0].reference.name == "solved.py"
    assert assignment.programs[0].variants == ("b", "a")
    one, two = assignment.tests
    assert (one.visibility, one.interaction, one.ending) == (
        Visibility.PUBLIC,
        Dialogue(("1",), echo=False),
        ExitsBetween(3, 3),
    )
    assert (two.title, two.interaction, two.points) == ("Two", ReplSession(("a",)), Decimal(0))


def test_input_lines_are_typed_as_they_are_written(tmp_path: Path) -> None:
    lines = ["01", "+1", "no", "0x1F", "1e3", "~", "-0", "1--3", "null", "$x", "$", "$$", "${y}"]
    quoted = ", ".join(f"'{line}'" for line in lines)
    folder = write_assignment(tmp_path, play=TESTS.replace("input: [1]", f"input: [{quoted}]"))
    assert load(folder).tests[0].interaction == Dialogue(tuple(lines))


def test_ten_tests_of_a_tenth_make_one_mark_exactly(tmp_path: Path) -> None:
    looped = TESTS.replace("points: 1", "points: 0.1").replace("id: one", "id: t-$n, for: {n: 0..9}")
    assignment = load(write_assignment(tmp_path, play=looped))
    assert [test.points for test in assignment.tests] == [Decimal("0.1")] * 10
    assert assignment.marks == 1


@pytest.mark.parametrize(
    "written", ["2025-10-27 11:59", "2025-10-27T11:59", "2025-10-27 11:59:00", "2025-10-27T11:59:00"]
)
def test_the_due_date_is_local_time(written: str, tmp_path: Path) -> None:
    assignment = load(write_assignment(tmp_path, assignment=ASSIGNMENT.replace("2025-10-27 11:59", written)))
    assert assignment.due.isoformat() == "2025-10-27T11:59:00+11:00"
    assert assignment.due.utcoffset() == timedelta(hours=11)
    assert assignment.zone.key == "Australia/Sydney"


SPECS = ROOT / "test_specs"
SHIPPED = sorted(file.parent for file in SPECS.glob("*/assignment.yaml"))


def test_there_are_shipped_assignments() -> None:
    assert "comp9021-25t3-a1" in {folder.name for folder in SHIPPED}


@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
def test_shipped_assignments_load(folder: Path) -> None:
    assignment = load_assignment(folder, SPECS.parent / "reference")
    assert assignment.id == folder.name
    by_rules = sum(rule.points for rule in assignment.rules)
    by_hand = sum(item.marks for item in assignment.manual)
    assert total(test.points for test in assignment.tests) + by_rules + by_hand == assignment.marks
    assert {test.program for test in assignment.tests} == set(assignment.program_of)
    assert all(program.reference.is_file() for program in assignment.programs)
    public = {test.program for test in assignment.tests if test.visibility is Visibility.PUBLIC}
    assert public == set(assignment.program_of), "a student can check every program"


def test_the_shipped_assignment_is_what_its_handout_says() -> None:
    assignment = load(SPECS / "comp9021-25t3-a1")
    assert assignment.marks == 13
    assert assignment.due.isoformat() == "2025-10-27T11:59:00+11:00"
    assert assignment.late == FallingCap(Decimal(5), 5)
    assert assignment.limits.wall_seconds == 30


CPP = ASSIGNMENT.replace("file: game.py", "{file: game.py, build: [g++, game.py], run: [./a.out, -x]}")


def test_a_program_in_another_language(tmp_path: Path) -> None:
    limits = "build_limits: {wall_seconds: 5, processes: 99}\n"
    (test,) = load(write_assignment(tmp_path, assignment=CPP + limits)).tests
    expected = replace(BUILD_LIMITS, wall_seconds=5, processes=99)
    assert test.recipe == BuildCommands(build=("g++", "game.py"), run=("./a.out", "-x"), limits=expected)


ALTERNATIVE = ASSIGNMENT.replace(
    "file: game.py", "{file: game.py, alternatives: [{file: game.cpp, build: [g++, game.cpp], run: [./a.out]}]}"
)


def test_an_alternative_in_another_language(tmp_path: Path) -> None:
    assignment = load(write_assignment(tmp_path, assignment=ALTERNATIVE))
    (program,) = assignment.programs
    assert program.alternatives == (
        AlternativeFile("game.cpp", BuildCommands(build=("g++", "game.cpp"), run=("./a.out",), limits=BUILD_LIMITS)),
    )
    assert assignment.file_names == {"game.py": ("game.py", "game.cpp")}
    assert assignment.tests[0].recipe is None


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("repl: [1]", "only Python has a prompt"),
        ("call: f(1)", "only functions of Python, or of C, C++ or Java built by"),
    ],
)
def test_what_only_python_has_cannot_be_asked_of_an_alternative(key: str, said: str, tmp_path: Path) -> None:
    folder = write_assignment(tmp_path, assignment=ALTERNATIVE, play=TESTS.replace("input: [1]", key))
    assert f": `game.cpp` is run by `./a.out`; {said}" in problems_of(folder)


def test_a_program_in_python_has_no_recipe(tmp_path: Path) -> None:
    assert [test.recipe for test in load(write_assignment(tmp_path)).tests] == [None]


def test_only_python_has_a_prompt(tmp_path: Path) -> None:
    folder = write_assignment(tmp_path, assignment=CPP, play=TESTS.replace("input", "repl"))
    message = "`game.py` is run by `./a.out -x`; only Python has a prompt"
    assert problems_of(folder) == f"tests/play.yaml:6:21: {message}"


SEALED = """\
format: 1
program: game.py
part: play
points: 1
visibility: public
tests:
  - {id: one, sealed: true, INPUT}
"""


@pytest.mark.parametrize("keys", ["input: [1]", "input: [1], partial: steps"])
def test_a_test_may_be_sealed(tmp_path: Path, keys: str) -> None:
    folder = write_assignment(tmp_path, play=SEALED.replace("INPUT", keys))
    assert [test.sealed for test in load(folder).tests] == [True]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ("input: [1], visibility: hidden", "found `sealed` in a hidden test"),
        ("call: f(1)", "a test with a call cannot be sealed; only whole transcripts can"),
        ("input: [1], checker: own", "a test with a checker cannot be sealed"),
        ("input: [1], milestones: [{line: x, share: 0.5}]", "a test with `milestones` cannot be sealed"),
        ("input: [1], milestones: [{text: x, share: 0.5}]", "a test with `milestones` cannot be sealed"),
        ("input: [1], partial: lines", "`partial: lines`, whose share tells of later lines too, cannot be sealed"),
        ("input: [1], compare: {tolerance: 0.1}", "compared with `tolerance` cannot be sealed"),
        ("input: [1], compare: {wildcard_lines: [x]}", "compared with `wildcard_lines` cannot be sealed"),
        ("input: [1], compare: {wildcard_texts: [x]}", "compared with `wildcard_texts` cannot be sealed"),
        ("input: [1], compare: {ignore: [line-order]}", "compared with `line-order` cannot be sealed"),
        ("input: [1], compare: {ignore: [echoed-input]}", "compared with `echoed-input` cannot be sealed"),
    ],
)
def test_what_cannot_be_sealed_is_refused(tmp_path: Path, changes: str, problem: str) -> None:
    folder = write_assignment(tmp_path / "test_specs", play=SEALED.replace("INPUT", changes))
    (tmp_path / "checkers").mkdir()
    (tmp_path / "checkers" / "own.py").write_text("")
    assert problem in problems_of(folder)
    assert problems_of(folder).startswith("tests/play.yaml:7:")


def test_how_submissions_are_taken_in(tmp_path: Path) -> None:
    assert load(write_assignment(tmp_path)).submission_policy == SubmissionPolicy(
        names=FileNamePolicy.EXACT, attempts=None, file_bytes=1_000_000, total_bytes=100_000_000, files=2000
    )
    said = ASSIGNMENT + "submissions: {names: closest-match, attempts: best, files: 10}\n"
    policy = load(write_assignment(tmp_path / "other", said)).submission_policy
    assert policy == SubmissionPolicy(
        names=FileNamePolicy.CLOSEST_MATCH,
        attempts=AttemptPolicy.BEST,
        file_bytes=1_000_000,
        total_bytes=100_000_000,
        files=10,
    )
