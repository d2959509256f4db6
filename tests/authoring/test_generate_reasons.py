"""References that name their rules: `grader generate` keeps them, and no program of a student sees any."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.expected.rationale import MODULE, reasons_in
from grader.model.program import Limits
from grader.run.environment import RunEnvironment, open_environment
from tests.conftest import Grader, SmallCourse
from tests.judge.sessions import game
from tests.prepared_grader import PreparedGrader
from tests.reference.programs import REFERENCE

NAMING = """\
import os

try:
    from because import because
except ImportError:
    def because(rule, text):
        return text

number = int(input("Number: "))
word = "Twice" if os.environ.get("REFERENCE_VARIANT") == "wordy" else "Double"
print(f"{word}: {because('a number is added to itself', str(2 * number))}")
"""
KEPT = '{"format": 1, "because": [\n{"rule": "a number is added to itself", "places": ["2:%d"]}\n]}\n'


@pytest.fixture
def naming(small_course: SmallCourse) -> SmallCourse:
    (small_course.folder / "reference" / "double.py").write_text(NAMING)
    return small_course


@pytest.mark.slow
def test_rules_are_kept_beside_transcripts_that_stay_the_same(grader: Grader, naming: SmallCourse) -> None:
    before = {file: file.read_bytes() for file in naming.expected.iterdir()}
    run = grader("generate")
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("written: ") == run.stdout.count(".because.json") == 6
    assert {file: file.read_bytes() for file in before} == before
    assert (naming.expected / "small.canonical.because.json").read_text() == KEPT % 9
    assert (naming.expected / "small.wordy.because.json").read_text() == KEPT % 8
    assert "all 7 expected files are fresh" in grader("generate", "--check").stdout


@pytest.mark.slow
def test_rules_are_checked_for_freshness(grader: Grader, naming: SmallCourse) -> None:
    grader("generate")
    (naming.expected / "small.canonical.because.json").write_text(KEPT % 7)
    (naming.expected / "small.wordy.because.json").unlink()
    (naming.expected / "gone.canonical.because.json").write_text(KEPT % 7)
    run = grader("generate", "--check")
    assert run.returncode == 1
    assert f"stale: {naming.expected}/small.canonical.because.json" in run.stdout
    assert f"missing: {naming.expected}/small.wordy.because.json" in run.stdout
    assert f"orphaned: {naming.expected}/gone.canonical.because.json" in run.stdout


@pytest.mark.slow
def test_check_and_graded_feedback_quote_the_rule_at_the_difference(grader: Grader, naming: SmallCourse) -> None:
    grader("generate")
    folder = naming.hand_in("squares", 'print("Double:", int(input("Number: ")) ** 2)\n')
    said = "  The rule here: a number is added to itself\n"
    run = grader("check", folder / "double.py")
    assert run.returncode == 1
    assert said in run.stdout
    grader("grade", naming.students)
    feedback = (naming.reports / "students" / "squares.txt").read_text()
    assert feedback.count(said) == 1  # of hidden tests nothing is shown
    assert (naming.reports / "results.json").read_text().count('"because": "a number is added to itself"') == 3


@pytest.mark.slow
def test_a_rule_is_not_quoted_for_a_blank(grader: Grader, naming: SmallCourse) -> None:
    grader("generate")
    folder = naming.hand_in("blank", 'print("Double:", f"{2 * int(input(\'Number: \'))} ")\n')
    assert "The rule here" not in grader("check", folder / "double.py").stdout


def test_a_submission_finds_no_such_module(grader: Grader, naming: SmallCourse) -> None:
    folder = naming.hand_in("spy", NAMING.replace("except ImportError", "except ZeroDivisionError"))
    assert "No module named 'because'" in grader("check", folder / "double.py").stdout


def test_a_file_that_cannot_be_read_is_named(grader: Grader, naming: SmallCourse) -> None:
    (naming.expected / "small.canonical.because.json").write_text("{}")
    run = grader("check", naming.hand_in("right", NAMING))
    assert run.returncode == 2
    assert "small.canonical.because.json cannot be read" in run.stderr


@pytest.mark.slow
def test_a_rule_of_the_first_solitaire_game_is_quoted(prepared: PreparedGrader, tmp_path: Path) -> None:
    right = (REFERENCE / "solitaire_1.py").read_text(encoding="utf-8")
    discards = "cards[: len(cards) // 2 * 2]"
    assert discards in right
    student = tmp_path / "solitaire_1.py"
    student.write_text(right.replace(discards, "cards[len(cards) % 2 :]"), encoding="utf-8")
    run = prepared.run("check", student, "--course", REFERENCE.parent, folder=tmp_path)
    assert run.returncode == 1
    assert "The rule here: three cards of one suit: the two in the lowest-numbered locations go, and" in run.stdout


WAR = ("cards.py", "lab10b.py")
SESSIONS = [
    (("solitaire_1.py",), ("0",)),
    (("solitaire_1.py",), ("72",)),
    (("solitaire_2.py",), ("32", "1--806", "-40", "10--14", "x", "q")),
    (("solitaire_2.py",), ("167", "773", "q")),
    (WAR, ("", "", "n")),
]


@pytest.fixture(scope="module")
def environment() -> Iterator[RunEnvironment]:
    with open_environment() as opened:
        yield opened


@pytest.mark.parametrize(("programs", "typed"), SESSIONS, ids=lambda one: "-".join(one)[:30])
def test_references_print_the_same_bytes_with_and_without_naming_rules(
    programs: tuple[str, ...], typed: tuple[str, ...], environment: RunEnvironment
) -> None:
    test = game(*typed)
    files = [(REFERENCE / name, "solitaire_1.py" if name == programs[-1] else name) for name in programs]
    variables = {"PROVIDED_EDITION": "lab-unshuffled", "PROVIDED_DECK": "3♠ 8♠ 4♠ 4♥ 5♠ Q♠"} if programs == WAR else {}
    plain = environment.run(test, files, Limits(), variables)
    marked = environment.run(test, [*files, MODULE], Limits(), variables)
    text, reasons = reasons_in(marked.transcript)
    assert plain.transcript == text
    assert reasons.reasons
    assert (plain.ending, plain.exit_code) == (marked.ending, marked.exit_code)
