"""Programs whose own `input` prints what it read are judged as if it did not, where the course ignores that."""

from dataclasses import replace

from grader.judge.echoed_input import ECHO_NOTE
from grader.judge.judge import judge
from grader.model.interaction import Dialogue, typed_lines
from grader.model.judgement import Verdict
from grader.model.outcome import Outcome, TypedLine
from grader.model.test import ComparisonPolicy, IgnoredDifference
from tests.judge.sessions import exited, game

ECHO_IGNORED = ComparisonPolicy(ignore=frozenset({IgnoredDifference.ECHOED_INPUT}))
EXACT_GAME = game("d", "", "q")
GAME = replace(EXACT_GAME, comparison=ECHO_IGNORED)
EXPECTED = "? d\nDealt\n? \n? q\nBye\n"
DOUBLED = "? @d\nd\nDealt\n? @\n\n? @q\nq\nBye\n"


def session(marked: str) -> Outcome:
    """A session of GAME; `@` stands where the lines were typed."""
    offsets = [index - number for number, index in enumerate(i for i, one in enumerate(marked) if one == "@")]
    typed = tuple(TypedLine(offset, line) for offset, line in zip(offsets, typed_lines(GAME.interaction), strict=True))
    return replace(exited(GAME, marked.replace("@", "")), typed=typed)


def test_the_copies_are_left_out_and_noted() -> None:
    judgement = judge(GAME, EXPECTED, session(DOUBLED))
    assert (judgement.verdict, judgement.notes) == (Verdict.PASSED, (ECHO_NOTE,))
    assert judgement.mended is not None
    assert judgement.mended.actual == EXPECTED


def test_every_copy_counts_unless_the_course_ignores_them() -> None:
    judgement = judge(EXACT_GAME, EXPECTED, session(DOUBLED))
    assert (judgement.verdict, judgement.notes, judgement.mended) == (Verdict.WRONG_OUTPUT, (), None)


def test_a_count_that_begins_with_the_number_typed_is_no_copy() -> None:
    for echo, expected, actual in ((True, "n: 5\n4\n", "n: 5\n5\n4\n"), (False, "n: 4\n", "n: 5\n4\n")):
        test = replace(game("5"), interaction=Dialogue(("5",), echo=echo))
        outcome = replace(exited(test, actual), typed=(TypedLine(3, "5"),))
        assert judge(test, expected, outcome).verdict is Verdict.WRONG_OUTPUT


def test_other_mistakes_are_judged_without_the_copies() -> None:
    judgement = judge(GAME, EXPECTED, session(DOUBLED.replace("Bye", "Ciao")))
    assert judgement.verdict is Verdict.WRONG_OUTPUT
    assert judgement.divergence is not None
    assert judgement.divergence.line == 5
    assert judgement.notes == (ECHO_NOTE,)


def test_without_echo_the_copy_is_the_only_one() -> None:
    test = replace(GAME, interaction=Dialogue(typed_lines(GAME.interaction), echo=False))
    outcome = session("? @d\nDealt\n? @\n? @q\nBye\n")
    assert judge(test, "? Dealt\n? ? Bye\n", outcome).notes == (ECHO_NOTE,)
    assert judge(test, "? Dealt\n? ? Bye\n", outcome).verdict is Verdict.PASSED


def test_without_echo_an_answer_that_names_the_input_is_no_copy() -> None:
    test = replace(game("5"), interaction=Dialogue(("5",), echo=False), comparison=ECHO_IGNORED)
    outcome = replace(exited(test, "? 5\ngot 5\n"), typed=(TypedLine(2, "5"),))
    assert judge(test, "? got 5\n", outcome).verdict is Verdict.PASSED
    assert judge(test, "? 5\ngot 6\n", outcome).notes == ()


def test_a_line_that_is_not_doubled_speaks_against_it() -> None:
    outcome = session(DOUBLED.replace("q\nq\n", "q\n"))
    assert judge(GAME, EXPECTED, outcome).notes == ()


def test_blank_lines_alone_are_no_sign_of_it() -> None:
    test = replace(game("", ""), comparison=ECHO_IGNORED)
    assert judge(test, "? \n? \n", exited(test, "? \n\n? \n\n")).notes == ()


def test_a_program_that_must_print_what_it_reads_is_left_alone() -> None:
    test = replace(game("Ann"), comparison=ECHO_IGNORED)
    assert judge(test, "? Ann\nAnn\nBye\n", exited(test, "? Ann\nAnn\nCiao\n")).notes == ()
