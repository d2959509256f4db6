"""Each cause: a realistic failure, and exactly what must be said of it."""

import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.judge.causes.diagnose import all_causes
from grader.judge.causes.ending import CANCELLED
from grader.judge.judge import judge
from grader.model.ending import ANY_STATUS, NONZERO, AsksAgain, EndsBySignal, ExitsBetween, ExpectedEnding
from grader.model.interaction import CallCheck, Dialogue, FunctionCall, ReplSession, StdinRun, typed_lines
from grader.model.judgement import Verdict
from grader.model.outcome import Outcome, Termination, TypedLine
from grader.model.test import ComparisonPolicy, Test, Visibility
from grader.text.difference import find_first_difference
from tests.building import TEST
from tests.judge.causes import (
    failures_in_characters,
    failures_in_content,
    failures_in_endings,
    failures_in_input,
    failures_in_lines,
)
from tests.judge.causes.failures import Failure
from tests.judge.causes.failures_in_endings import COMPILED
from tests.judge.causes.finders import FINDERS
from tests.judge.sessions import at_prompt, exited, explain, game

FAILURES = (
    *failures_in_input.FAILURES,
    *failures_in_lines.FAILURES,
    *failures_in_characters.FAILURES,
    *failures_in_content.FAILURES,
    *failures_in_endings.FAILURES,
)
FOUND = {cause.id for finder in FINDERS for cause in finder.causes}


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: failure.id)
def test_diagnosis(failure: Failure) -> None:
    assert explain(failure.test, failure.expected, failure.outcome) == (failure.cause, failure.sentence)


def test_a_missing_line_whose_text_is_open() -> None:
    test = replace(game(), comparison=ComparisonPolicy(wildcard_texts=("Invalid *",)))
    expected = "Board\nInvalid number\nScore: 5\nMoves: 1\nBye\n"
    said = explain(test, expected, exited(test, expected.replace("Invalid number\n", "")))[1]
    wanted = "Line 2, a text of your own such as `Invalid number`, is missing; all else is right, one line too early."
    assert said == wanted


def build(*, ending: Termination = Termination.EXITED, exit_code: int | None = 1, signal: int | None = None) -> Outcome:
    return Outcome(
        transcript="x",
        typed=(),
        ending=ending,
        exit_code=exit_code,
        signal=signal,
        unsent=0,
        wall_seconds=30.0,
        cpu_seconds=1.0,
        in_build=True,
    )


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (build(), "ended with exit status 1"),
        (build(ending=Termination.TIMED_OUT, exit_code=None), "was still running after 30 seconds"),
        (build(ending=Termination.OUTPUT_LIMIT, exit_code=None), "printed too much"),
        (build(ending=Termination.KEEPS_READING, exit_code=None), "asked for input"),
        (build(ending=Termination.SIGNALLED, exit_code=None, signal=11), "was ended by SIGSEGV"),
    ],
)
def test_how_a_build_failed(outcome: Outcome, said: str) -> None:
    judgement = judge(COMPILED, "x", outcome)
    assert judgement.verdict is Verdict.BUILD_ERROR
    assert judgement.divergence is None
    assert judgement.diagnosis is not None
    command = "`g++ -O2 -o game game.cpp`"
    assert judgement.diagnosis.sentence == f"The program cannot be built: {command} {said}; it says `x`."


def test_a_build_that_was_cancelled_is_no_error_of_the_student() -> None:
    judgement = judge(COMPILED, "x", build(ending=Termination.CANCELLED, exit_code=None))
    assert judgement.verdict is Verdict.INTERNAL_ERROR
    assert judgement.diagnosis is not None
    assert judgement.diagnosis.cause == CANCELLED


@pytest.mark.parametrize(("signal", "meaning"), [(11, "it used memory that is not its own"), (8, "it calculated")])
def test_signals_of_compiled_programs(signal: int, meaning: str) -> None:
    outcome = Outcome(
        transcript="",
        typed=(),
        ending=Termination.SIGNALLED,
        exit_code=None,
        signal=signal,
        unsent=0,
        wall_seconds=1.0,
        cpu_seconds=1.0,
    )
    assert meaning in explain(COMPILED, "x", outcome)[1]


def test_there_is_a_failure_for_every_cause() -> None:
    assert {failure.cause for failure in FAILURES} == FOUND


def cause_of(expected: str, actual: str, *typed: str) -> str:
    test = game(*typed)
    return explain(test, expected, exited(test, actual))[0]


TABLE = "left | rounds\n   0 | 13\n   2 | 9\n   4 | 8\n   6 | 8\n"


@pytest.mark.parametrize(
    ("expected", "actual", "cause"),
    [
        (TABLE, TABLE.replace("13", "12"), "number"),
        (TABLE, TABLE.replace("left |", "left|", 1).replace("13", "12"), "spacing"),
        ("Score 1\nNext\nEnd\n", "Score 2\nNext\nEnd\n", "number"),
        ("Score 1\n", "Score 2\n", "number"),
        ("Score 5\n", "Score -5\n", "number"),
        ("a\na\na\na\nb\na\na\n", "a\na\nc\na\nb\na\na\n", "text"),
        ("\n\nx\n\n\n\ny\n\n", "\n\nz\n\n\n\ny\n\n", "text"),
        ("a\n\nb\nc\nd\n", "a\nb\nc\nx\n", "text"),
        ("a\n\nb\nc\nd\ne\n", "a\nb\nc\nd\nx\n", "blank-line"),
        ("a\nb\nc\nd\ne\n", "b\nc\nd\ne\n", "missing-line"),
        ("a\nb\nc\nd\ne\n", "b\nc\nd\ne\na\n", "line-order"),
        ("a\nb\nc\nd\ne\n", "b\na\nc\nd\nx\n", "line-order"),
        ("a\nb\nc\nd\n", "a\n\nb\n\nc\n\nd\n\n", "blank-line"),
        ("a\nb\nc\nd\n", "a\na\nb\nb\nc\nc\nd\nd\n", "repeated-lines"),
        ("a\nb\nc\n", "a\na\nb\nb\nc\nc\n", "repeated-lines"),
        ("a\nb\nx\n", "a\na\nb\nb\nc\n", "text"),
        ("a\nb\nc\n", "a\nb\n\nc\n\n", "blank-line"),
        ("a\nb\nc\n", "a\nb c\n", "missing-newline"),
        ("a\nb c\nd\n", "a\nb\nc\nd\n", "extra-newline"),
        ("a\nb\n", "a\nb", "final-newline"),
        ("a\nb", "a\nb\n", "final-newline"),
        ("a\nb", "a\nbc\n", "line-too-long"),
        ("a\nb", "a\nb\nc\n", "extra-output"),
        ("a\nb", "a", "truncated-output"),
        ("", "a", "extra-output"),
        ("a" * 200 + "x", "a" * 200 + "y", "text"),
        ("Lost \u2639\n", "Lost \U0001f60a\ufe0f\n", "symbol"),
        ("Lost\n\n\U0001f0a1 \U0001f0a2\n", "Lost\n\n\U0001f0b1 \U0001f0b2\n", "wrong-deal"),
        ("Lost\n5 left\n\U0001f0a1 \U0001f0a2\n", "Lost\n5 left\n\U0001f0b1 \U0001f0b2\n", "wrong-deal"),
        ("Lost\n5 left\n\U0001f0a1 \U0001f0a2\n", "Lost\n5 left\nNow \U0001f0b1 \U0001f0b2\n", "text"),
        ("Rules\nMenu\nHand: [A♠, 10♥]\n", "Rules\nMenu\nHand: [10♥, A♠]\n", "word-order"),
        ("Rules\nMenu\n\tXX\tAS\t10H\n", "Rules\nMenu\n\tXX\tJC\t8D\n", "wrong-deal"),
        ("Rules\nAS first\n\tXX\tAS\t10H\n", "Rules\nAS first\n\tXX\tJC\t8D\n", "text"),
        ("Lost \u2639\n", "Lost ?\n", "encoding"),
        ("Lost \u2639\n", "Lost \ufffd\n", "encoding"),
        ("Lost \u2639\n", "Lost \\u2639\n", "encoding"),
        ("caf\xe9\n", "caf\udce9\n", "encoding"),
        ("10 \u20ac\n", "10 \udc80\n", "encoding"),
        ("10 \u20ac\n", "10 \xe2\u201a\xac\n", "encoding"),
        ("Lost!\nEnd\n", "\udcff\udcfeL\0o\0s\0t\0!\0\n\0E\0n\0d\0\n\0", "encoding"),
        ("Lost\n", "Lo\0st\n", "invisible-character"),
        ("\U0001f0a1 \U0001f0a2\n\U0001f0a3 \U0001f0a4\n", "\U0001f0a1 \U0001f0a2\n\U0001f0b3 \U0001f0b4\n", "text"),
        ("x" * 200_000, "x" * 100_000 + " " + "x" * 100_000, "text"),
    ],
)
def test_which_cause_comes_first(expected: str, actual: str, cause: str) -> None:
    assert cause_of(expected, actual) == cause


@pytest.mark.parametrize("before", [[], ["0"], ["0", "1"]])
def test_a_line_printed_twice_is_told_from_another_one(before: list[str]) -> None:
    expected = "\n".join([*before, "a", "b", "c", "d"])
    twice = "\n".join([*before, "a", "a", "b", "c", "d"])
    number = len(before) + 2
    assert explain(game(), expected, exited(game(), twice))[1] == (
        f"Line {number}, `a`, is printed twice; all else is right, one line too late."
    )
    other = "\n".join([*before, "a", "x", "b", "c", "d"])
    assert explain(game(), expected, exited(game(), other))[1] == (
        f"Line {number}, `x`, should not be there; all else is right, one line too late."
    )


def test_a_line_too_many_at_the_start_is_not_printed_twice_because_it_comes_last_too() -> None:
    _, sentence = explain(game(), "a\nb\nc\nd\n", exited(game(), "d\na\nb\nc\nd\n"))
    assert sentence == "Line 1, `d`, should not be there; all else is right, one line too late."


def test_a_missing_line_before_a_prompt_is_not_a_matter_of_the_prompt() -> None:
    expected = "Seed: 4\na\nb\nMore? n\nBye\n"
    assert cause_of(expected, "Seed: 4\na\nMore? n\nBye\n", "4", "n") == "missing-line"


def test_quotes_show_where_long_lines_differ() -> None:
    _, sentence = explain(game(), "a" * 200 + "left" + "b" * 200, exited(game(), "a" * 200 + "right" + "b" * 200))
    before = "…" + "a" * 30
    assert sentence == f"Line 1 is `{before}right{'b' * 25}…`; expected `{before}left{'b' * 26}…`."


def test_output_of_the_import_itself_is_told_from_output_of_the_call() -> None:
    test = at_prompt("import solitaire_1", "solitaire_1.play()")
    expected = ">>> import solitaire_1\n>>> solitaire_1.play()\nWon\n>>> \n"
    assert explain(test, expected, exited(test, expected.replace("Won", "Lost")))[0] == "text"
    assert explain(test, expected, exited(test, expected.replace("1\n", "1\nHi\n", 1)))[0] == "import-prints"


def test_import_that_asks_without_end_is_not_blamed_on_the_call() -> None:
    test = at_prompt("import solitaire_10", "1 + 1")
    expected = ">>> import solitaire_10\n>>> 1 + 1\n2\n>>> \n"
    asks = ">>> import solitaire_10\nSeed: 1 + 1\n>>> \n"
    assert explain(test, expected, exited(test, asks))[0] != "import-asks-for-input"


LINES = st.sampled_from(
    [
        "",
        " ",
        "a",
        "a ",
        "A",
        "\ta",
        "1",
        "2",
        "-1.5",
        "10 | 20",
        "Seed: 4",
        ">>> simulate(1)",
        ">>> ",
        "\u2639\ufe0f",
        "\u2639",
        "\U0001f0a1",
        "\U0001f0b1 \U0001f0b2",
        "\x1b[31m",
        "\udcff",
        "\u2026",
        "...",
        "\u202e",
        "x" * 300,
        "Traceback (most recent call last):",
        '  File "solitaire_1.py", line 3, in f',
        "    code()",
        "ValueError: \x1b bad",
        "EOFError: EOF",
        "MemoryError",
    ]
)
TRANSCRIPTS = st.one_of(
    st.builds(lambda lines, end: "\n".join(lines) + end, st.lists(LINES, max_size=12), st.sampled_from(["", "\n"])),
    st.text(st.characters(codec=None, exclude_categories=()), max_size=100),
)
PAIRS = st.one_of(
    st.tuples(TRANSCRIPTS, TRANSCRIPTS),
    st.builds(lambda same, one, other: (same + one, same + other), TRANSCRIPTS, TRANSCRIPTS, TRANSCRIPTS),
)


TYPED = {"lines": st.lists(LINES, max_size=4).map(tuple), "echo": st.booleans()}
INTERACTIONS = st.one_of(
    st.builds(Dialogue, **TYPED),
    st.builds(ReplSession, **TYPED),
    st.builds(StdinRun, name=st.just("in.txt"), text=st.text()),
    st.builds(
        FunctionCall,
        calls=st.just(("f()",)),
        variables=st.just({}),
        setup=st.just(()),
        checks=st.just(frozenset(CallCheck)),
        cards=st.none(),
        **TYPED,
    ),
)


ENDINGS: st.SearchStrategy[ExpectedEnding] = st.one_of(
    st.integers(0, 255).map(lambda status: ExitsBetween(status, status)),
    st.sampled_from([NONZERO, ANY_STATUS, EndsBySignal(6), AsksAgain()]),
)


@st.composite
def sessions(draw: st.DrawFn) -> tuple[Test, str, Outcome]:
    """Any two transcripts, with any lines typed anywhere, and any ending, even such as cannot be."""
    expected, actual = draw(PAIRS)
    places = sorted(draw(st.lists(st.integers(0, len(actual)), max_size=4)))
    typed = tuple(TypedLine(place, draw(LINES)) for place in places)
    test = replace(
        TEST,
        id="any",
        program="solitaire_1.py",
        part="part",
        visibility=Visibility.HIDDEN,
        interaction=draw(INTERACTIONS),
        ending=draw(ENDINGS),
    )
    outcome = Outcome(
        transcript=actual,
        typed=typed,
        ending=draw(st.sampled_from(Termination)),
        exit_code=draw(st.none() | st.integers(0, 255)),
        signal=draw(st.none() | st.integers(-1, 200)),
        unsent=draw(st.integers(0, 5)),
        wall_seconds=draw(st.floats(0, 1e9)),
        cpu_seconds=0.0,
    )
    return test, expected, outcome


@settings(max_examples=60, deadline=None)
@given(sessions())
def test_any_session_that_does_not_pass_gets_one_short_harmless_sentence(session: tuple[Test, str, Outcome]) -> None:
    test, expected, outcome = session
    judgement = judge(test, expected, outcome)
    compared = outcome.transcript if judgement.mended is None else judgement.mended.actual
    expected = expected if judgement.mended is None else judgement.mended.expected
    assert judgement.divergence == find_first_difference(expected, compared)
    if judgement.verdict is Verdict.PASSED:
        assert expected == compared
        assert judgement.diagnosis is None
        return
    assert judgement.diagnosis is not None
    assert judgement.diagnosis.cause in all_causes()
    sentence = judgement.diagnosis.sentence
    assert 20 < len(sentence) < 400
    assert sentence[0].isupper() or sentence[0].isdigit() or sentence[0] == "`"
    assert sentence[-1] in ".!?"
    assert not [one for one in sentence if unicodedata.category(one) in ("Cc", "Cs", "Zl", "Zp")]
    assert "\u202e" not in sentence


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ("a b " * 300_000, "a  b " * 240_000),
        ("\u0301\u0327" * 50_000, "\u0327\u0301" * 50_000),
        ("\n" * 200_000 + "a", "\n" * 200_001 + "b"),
        ("\x1b[" * 500_000 + "m", "\x1b[" * 500_000),
        ("\u2639\ufe0f\n" * 100_000, "\u2639\n" * 100_000),
        ("\U0001f0a1" * 100_000, "\U0001f0b1" * 100_000),
        ("1" * 300_000, "2" * 300_000),
        ("ab\n" * 200_000, "ba\n" * 200_000),
    ],
    ids=["spacing", "marks", "blank lines", "escapes", "selectors", "cards", "digits", "lines"],
)
def test_large_hostile_transcripts_get_a_diagnosis(expected: str, actual: str) -> None:
    test = game()
    assert len(explain(test, expected, exited(test, actual))[1]) < 400


def test_many_typed_lines_are_looked_at_once() -> None:
    test = game(*["1"] * 20_000)
    actual = "? 1\n" * 20_000
    assert cause_of(actual + "a\n", actual + "b\n", *typed_lines(test.interaction)) == "text"
