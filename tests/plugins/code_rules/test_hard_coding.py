"""Hard coding: the public test passes and its hidden twins do not."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.judgement import Verdict
from grader.plugins.code_rules.hard_coding import HardCodedOutput
from grader.rules.code_rule import JudgedTest
from grader.rules.source import read_source
from tests.judge.sessions import game

PUBLIC = JudgedTest(replace(game(), id="public"), Verdict.PASSED, "Welcome to the game\nJ♥ 3♣ 2♥ 5♥\n")
TWIN = JudgedTest(
    replace(game(), id="other-deck", hidden_twin_of="public"),
    Verdict.WRONG_OUTPUT,
    "Welcome to the game\n2♥ 2♣ A♥ A♣\n",
)
SECOND = replace(TWIN, test=replace(TWIN.test, id="third-deck"))
PROGRAM = 'print("Welcome to the game")\nprint("""\n J♥ 3♣ 2♥ 5♥\n""")\n'


def found(folder: Path, *judged: JudgedTest, program: str = PROGRAM) -> list[str]:
    file = folder / "solitaire_1.py"
    file.write_text(program)
    return [str(one) for one in HardCodedOutput().findings(judged, {file.name: read_source(file, file.name)})]


def test_the_evidence_is_the_twins_and_the_answers_in_the_program(tmp_path: Path) -> None:
    assert found(tmp_path, PUBLIC, TWIN, replace(SECOND, verdict=Verdict.CRASH)) == [
        "weak evidence: the test public passes, no twin of it does (other-deck (wrong-output), third-deck (crash)), "
        "and the program holds 1 of the 1 line that only public expects",
        'solitaire_1.py:2: the program holds a line that only public expects: print("""',
    ]


def test_most_lines_and_several_twins_are_strong_evidence(tmp_path: Path) -> None:
    public = replace(PUBLIC, expected="J♥ 3♣ 2♥ 5♥\nA♥ K♣ 9♥ 5♦\nThe last line\n")
    program = "print('J♥ 3♣ 2♥ 5♥')\nprint('A♥ K♣ 9♥ 5♦')\n"
    strong, *places = found(tmp_path, public, TWIN, SECOND, program=program)
    assert strong.startswith("strong evidence: ")
    assert strong.endswith("and the program holds 2 of the 3 lines that only public expects")
    assert len(places) == 2
    [weak, *_] = found(tmp_path, public, TWIN, program=program)
    assert weak.startswith("weak evidence: ")


def test_answers_in_one_line_of_the_program_count_each(tmp_path: Path) -> None:
    public = replace(PUBLIC, expected="J♥ 3♣ 2♥ 5♥\nA♥ K♣ 9♥ 5♦\n")
    strong, *places = found(tmp_path, public, TWIN, SECOND, program="print('J♥ 3♣ 2♥ 5♥', 'A♥ K♣ 9♥ 5♦', sep='\\n')\n")
    assert strong.startswith("strong evidence: ")
    assert strong.endswith("and the program holds 2 of the 2 lines that only public expects")
    assert len(places) == 1


def test_a_program_without_the_answers_has_hard_coded_nothing(tmp_path: Path) -> None:
    """It fails the twins by another mistake."""
    assert found(tmp_path, PUBLIC, TWIN, SECOND, program='print("Welcome to the game")\n') == []


def test_a_message_that_another_test_expects_too_is_no_answer(tmp_path: Path) -> None:
    public = replace(PUBLIC, expected="You have won the game!\n")
    other = replace(PUBLIC, test=replace(PUBLIC.test, id="other"), expected="You have won the game!\n")
    program = 'print("You have won the game!")\n'
    assert found(tmp_path, public, TWIN, program=program) != []
    assert found(tmp_path, public, TWIN, other, program=program) == []


@pytest.mark.parametrize("verdict", [Verdict.PASSED, Verdict.INTERNAL_ERROR, Verdict.MISSING_FILE])
def test_a_twin_that_passes_or_was_not_run_speaks_against_it(verdict: Verdict, tmp_path: Path) -> None:
    assert found(tmp_path, PUBLIC, TWIN, replace(SECOND, verdict=verdict)) == []


def test_who_does_not_pass_the_public_test_hard_codes_nothing(tmp_path: Path) -> None:
    assert found(tmp_path, replace(PUBLIC, verdict=Verdict.WRONG_OUTPUT), TWIN) == []


def test_a_test_without_twins_says_nothing(tmp_path: Path) -> None:
    assert found(tmp_path, PUBLIC) == []
