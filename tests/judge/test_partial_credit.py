"""What a transcript earns that is right in part, and that it cannot be won by printing much."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.judge.judge import judge
from grader.judge.partial_credit import milestones_not_in, with_partial_credit
from grader.model.expectation import Tolerance
from grader.model.interaction import Dialogue, ReplSession
from grader.model.judgement import Judgement, NoteKind, Verdict
from grader.model.outcome import Outcome, Termination, TypedLine
from grader.model.partial_credit import (
    Milestone,
    Milestones,
    PartialCredit,
    PartialLines,
    PartialSteps,
    PartialWay,
    TextInLine,
    WholeLine,
)
from grader.model.program import BuildCommands, Limits
from grader.model.test import ComparisonPolicy, IgnoredDifference, Test
from tests.building import TEST

LINES, STEPS = PartialLines(), PartialSteps()
POEM = "one\ntwo\nthree\nfour\n"
BLANKS = ComparisonPolicy(ignore=frozenset({IgnoredDifference.BLANK_LINES}))
ANY_ORDER = ComparisonPolicy(ignore=frozenset({IgnoredDifference.LINE_ORDER}))


def session(transcript: str, typed: Sequence[tuple[int, str]] = ()) -> Outcome:
    return Outcome(
        transcript=transcript,
        typed=tuple(TypedLine(offset, text) for offset, text in typed),
        ending=Termination.EXITED,
        exit_code=0,
        signal=None,
        unsent=0,
        wall_seconds=0,
        cpu_seconds=0,
    )


def giving(way: PartialWay, *lines: str, comparison: ComparisonPolicy = ComparisonPolicy()) -> Test:
    return replace(TEST, interaction=Dialogue(lines), partial=PartialCredit(way), comparison=comparison)


def judged(test: Test, expected: str, outcome: Outcome, typed: Sequence[int] = ()) -> Judgement:
    return with_partial_credit(test, expected, outcome, judge(test, expected, outcome), typed)


def share(test: Test, expected: str, printed: str) -> Fraction | Decimal | None:
    return judged(test, expected, session(printed)).score


@pytest.mark.parametrize(
    ("printed", "earned"),
    [
        ("one\ntwo\nthree\nfive\n", "3/4"),
        ("two\nthree\nfour\n", "3/4"),
        ("zero\none\ntwo\nthree\nfour\n", "4/5"),
        ("one\ntwo\nthree\nfive\nfour\n", "4/5"),
        ("one\ntwo\nthree\nfive\nsix\n", "3/5"),
        ("zero\none\ntwo\nthree\n", "3/4"),
        ("four\nthree\ntwo\none\n", "1/4"),
        ("one\n\ntwo\n\nthree\nfour\n", "3/4"),
        ("one two three four\n", "0"),
        ("\n\n\n\n", "0"),
        ("", "0"),
    ],
)
def test_right_lines_of_those_expected_or_printed(printed: str, earned: str) -> None:
    assert share(giving(LINES), POEM, printed) == Fraction(earned)


def test_what_is_right_earns_everything_and_has_no_share() -> None:
    judgement = judged(giving(LINES), POEM, session(POEM))
    assert (judgement.verdict, judgement.score, judgement.notes) == (Verdict.PASSED, None, ())


def test_the_report_says_what_the_share_is_for() -> None:
    [note] = judged(giving(LINES), POEM, session("one\ntwo\nthree\n")).notes
    assert note.kind is NoteKind.PARTIAL_CREDIT
    assert note.sentence == "Partial credit: 3 of 4 lines are right, which earns 75 % of the points."
    [note] = judged(giving(LINES), POEM, session("one\n" + "no\n" * 11)).notes
    expected = "1 of 4 lines is right, and 12 were printed, which earns 8.3333 % of the points."
    assert note.sentence == f"Partial credit: {expected}"


def test_lines_in_any_order_where_the_order_costs_nothing() -> None:
    test = giving(LINES, comparison=ANY_ORDER)
    assert share(test, POEM, "four\nthree\ntwo\nzero\n") == Fraction(3, 4)


def test_numbers_that_are_close_enough_are_right_and_others_are_not() -> None:
    policy = ComparisonPolicy(tolerance=Tolerance(Decimal("0.1")))
    assert share(giving(LINES, comparison=policy), "a 1\nb 2\nc 3\n", "a 1.05\nb 7\nc 3.01\n") == Fraction(2, 3)
    policy = replace(policy, ignore=frozenset({IgnoredDifference.LINE_ORDER}))
    assert share(giving(LINES, comparison=policy), "a 1\na 2\na 3\n", "a 7\na 3\na 1.05\n") == Fraction(2, 3)


def test_what_the_handout_leaves_open_neither_earns_nor_costs() -> None:
    test = giving(LINES, comparison=ComparisonPolicy(wildcard_lines=("Hello*", "Bye*")))
    expected = "Hello\nBye\none\ntwo\n"
    assert share(test, expected, "Good day\nand more\nof this\none\nten\n") == Fraction(1, 2)
    for own in ("Hello\nBye\n", "Hello\nGood bye\n"):
        assert share(test, expected, f"{own}one\nten\n") == Fraction(1, 2)
    flood = "".join(f"line {number}\n" for number in range(500))
    assert share(test, expected, f"{flood}one\nten\n") == Fraction(1, 2)


def test_a_line_with_a_pattern_is_right_or_wrong() -> None:
    test = giving(LINES, comparison=ComparisonPolicy(patterns={"s": "[0-9]+"}))
    expected = "It took <<s>> s\none\ntwo\n"
    assert share(test, expected, "It took 3 s\none\nten\n") == Fraction(2, 3)
    assert share(test, expected, "It took long\none\ntwo\n") == Fraction(2, 3)


def test_what_was_typed_earns_nothing() -> None:
    test = giving(LINES, "5", "7")
    expected = "5\n7\nsum: 12\nproduct: 35\n"
    typed = [(0, "5"), (2, "7")]
    assert judged(test, expected, session("5\n7\n", typed)).score == 0
    assert judged(test, expected, session("5\n7\nsum: 12\n", typed)).score == Fraction(1, 2)


def test_the_prompt_of_python_earns_nothing() -> None:
    test = replace(giving(LINES), interaction=ReplSession(("import game", "game.f()")))
    expected = ">>> import game\n>>> game.f()\n3\n4\n>>> \n"
    typed = [(4, "import game"), (20, "game.f()")]
    assert judged(test, expected, session(">>> import game\n>>> game.f()\n>>> \n", typed)).score == 0
    assert judged(test, expected, session(">>> import game\n>>> game.f()\n3\n>>> \n", typed)).score == Fraction(1, 2)


WORDS = [f"word{number}" for number in range(400)]


@pytest.mark.slow
@settings(deadline=None, max_examples=30)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8, unique=True).map(sorted))
def test_a_dictionary_does_not_win(words: list[str]) -> None:
    expected, dictionary = ("".join(f"{word}\n" for word in some) for some in (words, sorted(WORDS)))
    marks = Milestones(tuple(Milestone(WholeLine(word), Decimal(1) / 8) for word in words))
    for way in (LINES, marks):
        for comparison in (ComparisonPolicy(), ANY_ORDER):
            earned = share(giving(way, comparison=comparison), expected, dictionary)
            assert earned is not None
            assert earned <= Fraction(len(words), len(WORDS))
    assert share(giving(STEPS), expected, dictionary) == 0


@settings(deadline=None, max_examples=60)
@given(*[st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=12)] * 2)
def test_a_wrong_transcript_earns_less_than_a_right_one(expected: list[str], printed: list[str]) -> None:
    wanted, found = ("".join(f"{line}\n" for line in lines) for lines in (expected, printed))
    for way in (LINES, STEPS):
        for comparison in (ComparisonPolicy(), BLANKS, ANY_ORDER):
            judgement = judged(giving(way, comparison=comparison), wanted, session(found))
            assert judgement.verdict is Verdict.PASSED or (judgement.score is not None and 0 <= judgement.score < 1)


GAME = "Number: 5\nlow\nNumber: 7\nhigh\nNumber: 6\nright\n"
READ = (8, 22, 37)


def play(*pieces: str) -> Outcome:
    """A session in which each of `pieces` is printed before one of the inputs 5, 7, 6, and the last at the end."""
    transcript, typed = "", []
    for piece, line in zip(pieces, ("5", "7", "6"), strict=False):
        transcript += piece
        typed.append((len(transcript), line))
        transcript += f"{line}\n"
    return session(transcript + "".join(pieces[3:]), typed)


def test_the_example_is_split_where_it_was_read() -> None:
    assert play("Number: ", "low\nNumber: ", "high\nNumber: ", "right\n").transcript == GAME


@pytest.mark.parametrize(
    ("pieces", "earned"),
    [
        (("Number: ", "low\nNumber: ", "high\nNumber: ", "wrong\n"), "3/4"),
        (("Number: ", "low\nNumber: ", "low\nNumber: ", "right\n"), "2/4"),
        (("Number: ", "high\nNumber: ", "high\nNumber: ", "right\n"), "1/4"),
        (("number: ", "low\nNumber: ", "high\nNumber: ", "right\n"), "0"),
        (("Number: ", "low\nNumber: "), "2/4"),
    ],
)
def test_right_steps_before_the_first_wrong_one(pieces: tuple[str, ...], earned: str) -> None:
    judgement = judged(giving(STEPS, "5", "7", "6"), GAME, play(*pieces), READ)
    assert judgement.score == Fraction(earned)
    assert "of 4 steps" in judgement.notes[-1].sentence


def test_steps_without_output_do_not_count() -> None:
    test = giving(STEPS, "5", "7", "6")
    assert judged(test, "5\n7\n6\nsum: 18\ndone\n", play("", "", "", "sum: 19\ndone\n"), (0, 2, 4)).score == 0


def test_steps_under_a_policy() -> None:
    test = giving(STEPS, "5", "7", "6", comparison=BLANKS)
    outcome = play("Number: ", "low\n\nNumber: ", "high\nNumber: ", "wrong\n")
    assert judged(test, GAME, outcome, READ).score == Fraction(3, 4)


@pytest.mark.parametrize(
    ("comparison", "first"),
    [
        (ComparisonPolicy(), "mean 2.333333"),
        (ComparisonPolicy(tolerance=Tolerance(relative=Decimal("0.1"))), "mean 2.3"),
        (ComparisonPolicy(wildcard_lines=("mean*",)), "my own text is longer than that"),
        (ComparisonPolicy(wildcard_texts=("mean*",)), "several\nlines\nof my own"),
    ],
)
def test_steps_are_split_where_input_is_read_if_a_line_before_is_of_another_length(
    comparison: ComparisonPolicy, first: str
) -> None:
    expected = "mean 2.333333\n? 5\nlow\n? 7\nhigh\n? 6\nright\n"
    read = tuple(expected.index(line) + 2 for line in ("? 5", "? 7", "? 6"))
    outcome = play(f"{first}\n? ", "low\n? ", "high\n? ", "wrong\n")
    test = giving(STEPS, "5", "7", "6", comparison=comparison)
    assert judged(test, expected, outcome, read).score == Fraction(3, 4)


def test_milestones_are_reached_in_their_order() -> None:
    ways = Milestone(WholeLine("two"), Decimal("0.3")), Milestone(TextInLine("ou"), Decimal("0.5"))
    test = giving(Milestones(ways))
    assert share(test, POEM, "one\ntwo\nthree\nfive\n") == Fraction(3, 10)
    assert share(test, POEM, "one\nfour\n") == Fraction(1, 2)
    assert share(test, POEM, "four\ntwo\n") == Fraction(3, 10)
    assert share(test, POEM, "two\nfour\n") == Fraction(8, 10)
    assert share(test, POEM, "two\nfour\n" + "more\n" * 6) == Fraction(4, 10)


def test_a_line_of_all_that_may_be_right_earns_no_more_than_a_guess() -> None:
    ways = Milestone(TextInLine("an odd card"), Decimal("0.4")), Milestone(TextInLine("have won"), Decimal("0.6"))
    test, expected = giving(Milestones(ways)), "Round 1\nAn odd card: an odd card.\nYou have won\nBye\n"
    guess = "an even card, an odd card, you have lost, you have won"
    judgement = judged(test, expected, session(f"{guess}\n" * 2))
    assert judgement.score == Fraction(4, 10) * Fraction(20, 43) + Fraction(6, 10) * Fraction(10, 43)
    assert [note.sentence for note in judgement.notes] == [
        "Partial credit: 2 of 2 milestones are reached, in longer lines than expected, which earns "
        "32.5581 % of the points."
    ]
    # The rest of the line may be another one that is not longer, and what is typed ends a line.
    assert share(test, expected, "   an odd card\nI have won\n") == 1
    dialogue = giving(Milestones(ways[1:]), "a name that is long")
    wrong = session("Who?a name that is long\nYou have won\n", [(4, "a name that is long")])
    assert judged(dialogue, "Who? a name that is long\nYou have won\n", wrong).score == Fraction(6, 10)


def test_a_line_with_a_milestone_may_be_as_long_as_the_handout_leaves_it_open() -> None:
    ways = (Milestone(TextInLine("won"), Decimal("0.5")), Milestone(TextInLine("won"), Decimal("0.5")))
    open_lines = ComparisonPolicy(wildcard_lines=("You won*",))
    test = giving(Milestones(ways), comparison=open_lines)
    assert share(test, "You won it\nYou won it\nBye\n", "You won it all\nYou won it all again\nBie\n") == 1


def test_a_milestone_is_nothing_that_was_typed() -> None:
    test = giving(Milestones((Milestone(TextInLine("won"), Decimal("0.5")),)), "won")
    assert judged(test, "Say: won\nYou won\n", session("Say: won\nYou lost\n", [(5, "won")])).score == 0


def test_the_reference_must_reach_the_milestones() -> None:
    ways = Milestone(WholeLine("two"), Decimal("0.3")), Milestone(TextInLine("on"), Decimal("0.5"))
    assert milestones_not_in(giving(Milestones(ways)), session(POEM)) == ["on"]
    assert milestones_not_in(giving(Milestones(ways[:1])), session(POEM)) == []
    assert milestones_not_in(giving(LINES), session(POEM)) == []


CRASH = 'one\ntwo\nTraceback (most recent call last):\n  File "game.py", line 1, in <module>\nValueError: 3\n'
STOPPED = [
    (replace(session(CRASH), exit_code=1), Verdict.CRASH),
    (replace(session("one\ntwo\n"), ending=Termination.TIMED_OUT, exit_code=None), Verdict.TIMEOUT),
    (replace(session(POEM), exit_code=3), Verdict.EXIT_STATUS),
    (replace(session("one\ntwo\n"), exit_code=1), Verdict.WRONG_OUTPUT),
]


@pytest.mark.parametrize(("outcome", "verdict"), STOPPED, ids=[str(verdict) for _, verdict in STOPPED])
def test_a_program_that_was_stopped_keeps_its_share_only_where_the_test_says_so(
    outcome: Outcome, verdict: Verdict
) -> None:
    test = giving(LINES)
    judgement = judged(test, POEM, outcome)
    assert (judgement.verdict, judgement.score) == (verdict, None)
    kept = judged(replace(test, partial=PartialCredit(LINES, if_stopped=True)), POEM, outcome)
    assert kept.verdict is verdict
    assert kept.score is not None
    assert 0 < kept.score < 1


ASKS = CRASH.partition("two\n")[2].replace("ValueError: 3", "EOFError: EOF when reading a line")
ASKS_DEEP = ASKS.replace("\nEOF", '\n  File "game.py", line 9, in play\n    input()' * 20 + "\nEOF")
OF_TWO = Milestones((Milestone(WholeLine("two"), Decimal("0.5")), Milestone(WholeLine("four"), Decimal("0.5"))))


@pytest.mark.parametrize("crash", [ASKS, ASKS_DEEP])
@pytest.mark.parametrize("if_stopped", [False, True])
@pytest.mark.parametrize(
    ("asked", "way", "earned"),
    [
        ("", LINES, "3/4"),
        ("Five? ", LINES, "4/5"),
        ("Five?\n", LINES, "4/5"),
        ("", OF_TWO, "1"),
        ("Five? ", OF_TWO, "4/5"),
        ("", STEPS, "0"),
    ],
)
def test_a_program_that_only_asks_for_more_earns_its_share(
    asked: str, way: PartialWay, earned: str, crash: str, *, if_stopped: bool
) -> None:
    test = replace(giving(way), partial=PartialCredit(way, if_stopped=if_stopped))
    judgement = judged(test, POEM, replace(session(f"{POEM}{asked}{crash}"), exit_code=1))
    assert judgement.verdict in (Verdict.WRONG_OUTPUT, Verdict.EXIT_STATUS)
    assert judgement.score == Fraction(earned)
    in_pipes = replace(session(f"{POEM}{asked}"), errors=crash, exit_code=1)
    assert judged(test, POEM, in_pipes).score == Fraction(earned)
    not_all = judged(giving(way), POEM, replace(session(f"one\ntwo\n{asked}{crash}"), exit_code=1))
    assert not_all.verdict is Verdict.CRASH
    assert not not_all.score


DEEP = CRASH.replace("\nValueError", '\n  File "game.py", line 9, in play\n    move()' * 20 + "\nValueError")
DURING = "\nDuring handling of the above exception, another exception occurred:\n\n"
CHAINED = DEEP + DURING + DEEP.removeprefix("one\ntwo\n")
JAVA = 'one\ntwo\nException in thread "main" java.lang.RuntimeException\n\tat Game.main(Game.java:3)\n'
C_PLUS_PLUS = "one\ntwo\nterminate called after throwing an instance of 'int'\n"


@pytest.mark.parametrize("printed", [CRASH, DEEP, CHAINED, JAVA, C_PLUS_PLUS])
@pytest.mark.parametrize("way", [LINES, Milestones((Milestone(WholeLine("two"), Decimal("0.5")),))])
def test_what_the_language_says_of_a_crash_costs_nothing(printed: str, way: PartialWay) -> None:
    recipe = BuildCommands(build=None, run=("./game",), limits=Limits()) if printed in (JAVA, C_PLUS_PLUS) else None
    test = replace(giving(way), partial=PartialCredit(way, if_stopped=True), recipe=recipe)
    kept = judged(test, POEM, replace(session(printed), exit_code=1))
    assert (kept.verdict is not Verdict.PASSED, kept.score) == (True, Fraction(1, 2))


@pytest.mark.parametrize(
    "outcome", [replace(session(""), in_build=True, exit_code=1), replace(session(""), ending=Termination.CANCELLED)]
)
def test_nothing_is_earned_where_nothing_ran(outcome: Outcome) -> None:
    test = replace(giving(LINES), partial=PartialCredit(LINES, if_stopped=True))
    assert judged(test, POEM, outcome).score is None


def test_a_program_that_prints_what_should_be_typed_earns_nothing() -> None:
    test = giving(LINES, "5")
    outcome = replace(session("Number: 5\nlow\n"), unsent=1)
    judgement = judged(test, "Number: 5\nlow\n", outcome)
    assert judgement.verdict is Verdict.WRONG_OUTPUT
    assert judgement.score is None


TYPED_LATE = "N: 77\nYou typed: 77\nM: 7\nsum 84\nAgain: q\nbye\n"


@pytest.mark.parametrize("way", [LINES, Milestones((Milestone(WholeLine("sum 84"), Decimal(1)),))])
@pytest.mark.parametrize(
    ("printed", "typed", "earns"),
    [
        ("N: 77\nYou typed: 77\nM: 7\nsum 84\n", [], False),
        ("N: 77  \nYou typed: 77\nsum 84\n", [], False),
        ("N: 77\nYou typed: 77\nM: 7\nsum 84\n", [(3, "77")], False),
        ("N: 77\nYou typed: 77\nM: 7\nsum 84\nAgain: q\n", [(3, "77"), (24, "7")], False),
        ("77\nsum 84\n", [], True),
        ("N: \nYou typed: 77\nsum 84\n", [], True),
        ("N: 77\nYou typed: 77\nsum 84\n", [(3, "77")], True),
        ("N: 77\nYou typed: 77\nM: 7\nsum 84\nbye\n", [(3, "77"), (24, "7")], True),
        ("N: 77\nN: 77\nYou typed: 77\nM: 7\nsum 84\nAgain: q\n", [(3, "77"), (30, "7"), (46, "q")], True),
    ],
)
def test_a_program_that_prints_what_it_never_reads_earns_nothing(
    printed: str, typed: Sequence[tuple[int, str]], earns: bool, way: PartialWay
) -> None:
    test = giving(way, "77", "7", "q")
    outcome = replace(session(printed, typed), unsent=3 - len(typed))
    score = judged(test, TYPED_LATE, outcome).score
    assert (score is not None and score > 0) is earns
    assert judged(replace(test, may_leave_input=True), TYPED_LATE, outcome).score is not None


def test_without_the_key_nothing_changes() -> None:
    outcome = session("one\n")
    assert judged(TEST, POEM, outcome) == judge(TEST, POEM, outcome)
