"""The comparison policy: what it lets pass, what it says of it, and that nothing else passes."""

import re
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from itertools import permutations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grader.judge.judge import judge
from grader.model.ending import ExitsBetween
from grader.model.expectation import Tolerance
from grader.model.judgement import Judgement, NoteKind, Verdict
from grader.model.test import ComparisonPolicy, IgnoredDifference
from grader.text.difference import find_first_difference
from tests.judge.sessions import exited, game

EXPECTED = "Welcome   to\nAces Up ♥\ufe0f\n\nNumber: 4\nShare: 12.50 %\nThe end\n"


def ignoring(*kinds: IgnoredDifference) -> ComparisonPolicy:
    return ComparisonPolicy(ignore=frozenset(kinds))


def judged(expected: str, actual: str, comparison: ComparisonPolicy, *lines: str) -> Judgement:
    test = replace(game(*lines), comparison=comparison)
    return judge(test, expected, exited(test, actual))


def mended(judgement: Judgement) -> str:
    assert judgement.mended is not None
    return judgement.mended.actual


LET_PASS = [
    (
        ignoring(IgnoredDifference.TRAILING_WHITESPACE),
        "4\n",
        "4 \t\n",
        "trailing-whitespace",
        "trailing whitespace (line 4)",
    ),
    (
        ignoring(IgnoredDifference.SPACE_CHANGE),
        "Welcome   to",
        "Welcome \tto",
        "space-change",
        "too few or too many spaces (line 1)",
    ),
    (
        ignoring(IgnoredDifference.TAB_EXPANSION),
        "Number: 4",
        "Number:\t4",
        "tab-expansion",
        "spaces in place of tabs, or before them (line 4)",
    ),
    (ignoring(IgnoredDifference.BLANK_LINES), "\n\n", "\n", "blank-lines", "too few or too many blank lines (line 3)"),
    (
        ignoring(IgnoredDifference.BLANK_LINES),
        "end\n",
        "end",
        "blank-lines",
        "too few or too many blank lines (line 6)",
    ),
    (
        ignoring(IgnoredDifference.BLANK_LINES),
        "end\n",
        "end\n\n\n",
        "blank-lines",
        "too few or too many blank lines (line 8)",
    ),
    (ignoring(IgnoredDifference.CASE), "Aces Up", "aces up", "case", "uppercase instead of lowercase letters"),
    (ComparisonPolicy(ignore_characters="\ufe0f"), "\ufe0f", "", "characters", "that need not be there (line 2)"),
    (
        ComparisonPolicy(tolerance=Tolerance(Decimal("0.01"))),
        "12.50",
        "12.509",
        "numbers",
        "numbers that are close enough (line 5)",
    ),
    (
        ComparisonPolicy(tolerance=Tolerance(relative=Decimal("0.01"))),
        "12.50",
        "12.62",
        "numbers",
        "numbers that are close enough (line 5)",
    ),
    (ComparisonPolicy(wildcard_lines=("The end",)), "The end", "Bye, bye", "wildcard-lines", "your own text"),
    (ComparisonPolicy(wildcard_lines=("Nothing", "The *")), "The end", "Bye, bye", "wildcard-lines", "your own text"),
    (
        ComparisonPolicy(wildcard_lines=("The end",), wildcard_excludes=("* won",)),
        "The end",
        "Ann won nothing",
        "wildcard-lines",
        "your own text",
    ),
    (
        ignoring(IgnoredDifference.LINE_ORDER),
        "Number: 4\nShare: 12.50 %\n",
        "Share: 12.50 %\nNumber: 4\n",
        "line-order",
        "lines in another order (line 4)",
    ),
]


@pytest.mark.parametrize(("comparison", "old", "new", "kind", "said"), LET_PASS)
def test_what_the_policy_lets_pass_is_noted(
    comparison: ComparisonPolicy, old: str, new: str, kind: str, said: str
) -> None:
    actual = EXPECTED.replace(old, new)
    assert judged(EXPECTED, actual, ComparisonPolicy()).verdict is Verdict.WRONG_OUTPUT
    judgement = judged(EXPECTED, actual, comparison)
    assert judgement.verdict is Verdict.PASSED
    assert [note.kind for note in judgement.notes] == [kind]
    assert said in judgement.notes[0].sentence
    assert judgement.mended is not None
    assert judgement.mended.actual == judgement.mended.expected
    shows_what_was_printed = kind in (NoteKind.WILDCARD_LINES, NoteKind.NUMBERS, NoteKind.CASE)
    assert judgement.mended.expected == (actual if shows_what_was_printed else EXPECTED)


REFUSED = [
    (ignoring(IgnoredDifference.TRAILING_WHITESPACE), "Number: 4", "Number:  4"),
    (ignoring(IgnoredDifference.SPACE_CHANGE), "Number: 4", "Number:4"),
    (ignoring(IgnoredDifference.TAB_EXPANSION), "Number: 4", "Number:  4"),
    (ignoring(IgnoredDifference.TAB_EXPANSION), "Number: 4", "Number: \t4"),
    (ignoring(IgnoredDifference.BLANK_LINES), "Number: 4", "Number: \n4"),
    (ignoring(IgnoredDifference.CASE), "Number", "Numbers"),
    (ComparisonPolicy(ignore_characters="\ufe0f"), "♥\ufe0f", "\ufe0f"),
    (ComparisonPolicy(tolerance=Tolerance(Decimal("0.01"))), "12.50", "12.52"),
    (ComparisonPolicy(tolerance=Tolerance(relative=Decimal("0.01"))), "12.50", "12.63"),
    (ComparisonPolicy(tolerance=Tolerance(Decimal("0.01"))), "12.50", "12.50 12.50"),
    (ComparisonPolicy(wildcard_lines=("The end",)), "The end", " "),
    (ComparisonPolicy(wildcard_lines=("The end",)), "The end\n", ""),
    (ComparisonPolicy(wildcard_lines=("The",)), "The end", "An end"),
    (ComparisonPolicy(wildcard_lines=("The end",)), "The end\n", "Bye,\nbye\n"),
    (ComparisonPolicy(wildcard_lines=("Number*", "Share*")), "Number: 4\nShare: 12.50 %\n", ""),
    (ComparisonPolicy(wildcard_texts=("The end",)), "The end\n", ""),
    (ComparisonPolicy(wildcard_texts=("The end",)), "The end", " "),
    (ComparisonPolicy(wildcard_lines=("Number*", "Share*")), "Number: 4\nShare: 12.50 %\n", "\n"),
    (ComparisonPolicy(wildcard_lines=("The end",), wildcard_excludes=("* won",)), "The end", "Ann won"),
    (ComparisonPolicy(wildcard_texts=("The end",), wildcard_excludes=("* won",)), "The end", "Bye\nAnn won "),
    (ComparisonPolicy(wildcard_texts=("The end",), wildcard_excludes=("* won",)), "The end", "Ann won\nBye"),
    (ignoring(IgnoredDifference.LINE_ORDER), "Number: 4\n", "Number: 4\nNumber: 4\n"),
]


@pytest.mark.parametrize(("comparison", "old", "new"), REFUSED)
def test_everything_else_counts(comparison: ComparisonPolicy, old: str, new: str) -> None:
    assert judged(EXPECTED, EXPECTED.replace(old, new), comparison).verdict is Verdict.WRONG_OUTPUT


def test_nothing_is_noted_where_nothing_differs() -> None:
    assert judged(EXPECTED, EXPECTED, ignoring(*IgnoredDifference)) == Judgement(verdict=Verdict.PASSED)


def test_lines_after_a_missing_one_are_still_let_pass() -> None:
    judgement = judged("a\nb\nc\nd\n", "a\nc  \nd\n", ignoring(IgnoredDifference.TRAILING_WHITESPACE))
    assert mended(judgement) == "a\nc\nd\n"
    assert judgement.diagnosis is not None
    assert judgement.diagnosis.sentence == "Line 2, `b`, is missing; all else is right, one line too early."
    assert [note.sentence for note in judgement.notes] == ["Ignored: trailing whitespace (line 2)."]


RULES = ["The rules", "of the game"]


@pytest.mark.parametrize("rules", [["Rules"], ["My", "own rules"], ["1.", "2.", "3.", "4."], ["1.", "", "2.", "3."]])
@pytest.mark.parametrize("boards", [1, 400])
def test_in_place_of_several_open_lines_there_may_be_any_number(rules: list[str], boards: int) -> None:
    comparison = replace(ignoring(IgnoredDifference.BLANK_LINES), wildcard_lines=(*RULES, "Error: *"))
    game_lines = ["Board", "? x", "Error: no", *["Board", "4 5"] * boards]
    own_lines = [line.replace("Error: no", "Oh dear") for line in game_lines]
    wanted = [RULES[0], "", RULES[1], *game_lines]
    expected, actual = ("".join(f"{line}\n" for line in lines) for lines in (wanted, rules + own_lines))
    judgement = judged(expected, actual, comparison, "x")
    assert judgement.verdict is Verdict.PASSED
    assert mended(judgement).replace("\n\n", "\n") == actual.replace("\n\n", "\n")
    assert NoteKind.WILDCARD_LINES in [note.kind for note in judgement.notes]
    without_error = actual.replace("Oh dear\n", "")
    missing = judged(expected, without_error, comparison, "x").diagnosis
    assert missing is not None
    line = mended(judgement).split("\n").index("Oh dear") + 1
    said = f"Line {line}, a text of your own such as `Error: no`, is missing; all else is right, one line too early."
    assert missing.sentence == said
    assert judged(expected, actual.replace("Board", "Table"), comparison, "x").verdict is Verdict.WRONG_OUTPUT


@pytest.mark.parametrize("message", [["Oh dear"], ["Oh dear,", "that is", "", "wrong"], ["Board", "no"]])
def test_in_place_of_one_line_there_may_be_a_text(message: list[str]) -> None:
    comparison = replace(ignoring(IgnoredDifference.BLANK_LINES), wildcard_texts=("Error: *",))
    expected, actual = (
        "\n".join(["? x", *text, "Board", "4 5", "? y", *text, "Board", "4 6", ""]) for text in (["Error: x"], message)
    )
    judgement = judged(expected, actual, comparison, "x", "y")
    assert judgement.verdict is Verdict.PASSED
    assert mended(judgement).replace("\n\n", "\n") == actual.replace("\n\n", "\n")
    for wrong in (actual.replace("4 6", "4 5"), actual.replace("\n".join(message), "", 1)):
        assert judged(expected, wrong, comparison, "x", "y").verdict is Verdict.WRONG_OUTPUT


TABLE = ["Table", "A K", "Q J", "Score: 10"]
MESSAGES = [
    (["No!"], True),
    (["Table"], False),
    (["Table", "No!"], True),
    ([*TABLE, "No!"], True),
    (TABLE, False),
    (TABLE[2:], False),
    ([*TABLE[:3], "Score: 9"], False),
    (["No!", *TABLE], False),
    (["No!", *TABLE[:3], "Score: 9"], False),
    (["No!", *TABLE, *TABLE], False),
]


@pytest.mark.parametrize(("message", "passes"), MESSAGES)
@pytest.mark.parametrize("last", [[], ["Error: the end"]])
def test_what_is_expected_elsewhere_is_no_message(message: list[str], passes: bool, last: list[str]) -> None:
    comparison = replace(ignoring(IgnoredDifference.BLANK_LINES), wildcard_texts=("Error: *",))
    game = [*TABLE, "? x", "Error: no", *TABLE, "? y", *TABLE, *last]
    expected, actual = (
        "\n".join(one for line in game for one in (text if line == "Error: no" else [line]))
        for text in (["Error: no"], message)
    )
    assert (judged(expected, actual, comparison, "x", "y").verdict is Verdict.PASSED) == passes


BETWEEN = [
    (["Hello"], "Result: 47", ["Bye"], True),
    (["Hello, a result is", "Result: 47"], "Result: 47", ["Bye"], True),
    (["Hello, a result is", "Results: 46"], "Result: 47", ["Result 48", "Bye"], True),
    (["Hello", "Result: 46"], "Result: 47", ["Bye"], False),
    (["Result: 46", "Hello"], "Result: 47", ["Bye"], False),
    (["Hello"], "Result: 47", ["Result: 48", "Bye"], False),
    (["Hello"], "Result: 46", ["Bye"], False),
    (["Hello", *(f"Result: {number}" for number in range(47))], "Result: 47", ["Result: 48", "Bye"], False),
]


@pytest.mark.parametrize(("first", "result", "last", "passes"), BETWEEN)
@pytest.mark.parametrize("others", [[], ["The end"]])
@pytest.mark.parametrize("tolerance", [None, Tolerance(Decimal("0.1"))])
def test_results_between_open_texts_are_printed_once(
    first: list[str], result: str, last: list[str], passes: bool, others: list[str], tolerance: Tolerance | None
) -> None:
    comparison = ComparisonPolicy(wildcard_texts=("Thinking *", "Thanks *"), tolerance=tolerance)
    expected = "\n".join(["Thinking of 12", "Result: 47", *others, "Thanks for all", ""])
    judgement = judged(expected, "\n".join([*first, result, *others, *last, ""]), comparison)
    assert (judgement.verdict is Verdict.PASSED) == passes


NUMBERS = ["-47", "+47", "47.0", "0.5", ".5", "4.7e1", "1,047", " 47", "-$47", "$47", "47%", "47/2", "−47"]


@pytest.mark.parametrize("wrong", NUMBERS)
def test_results_of_another_form_are_results_too(wrong: str) -> None:
    comparison = ComparisonPolicy(wildcard_texts=("Thinking *", "Thanks *"))
    expected = "Thinking of 12\nResult: 47\nThanks all\n"
    assert judged(expected, f"Hm\nResult: {wrong}\nResult: 47\nBye\n", comparison).verdict is Verdict.WRONG_OUTPUT
    expected = expected.replace("47", wrong)
    assert judged(expected, f"Hm\nResult: 47\nResult: {wrong}\nBye\n", comparison).verdict is Verdict.WRONG_OUTPUT
    assert judged(expected, f"Hm\nResult: {wrong}\nBye\n", comparison).verdict is Verdict.PASSED


def test_another_result_in_an_open_text_is_told() -> None:
    comparison = ComparisonPolicy(wildcard_texts=("Thinking *", "Thanks *"))
    judgement = judged("Thinking of 12\nResult: 47\nThanks all\n", "Hm\nResult: 46\nResult: 47\nBye\n", comparison)
    assert judgement.diagnosis is not None
    assert judgement.diagnosis.sentence == "In line 2 the number after `Result:` is 46, one less than the expected 47."


def test_a_table_in_place_of_a_message_at_the_end_is_a_missing_message() -> None:
    comparison = replace(ignoring(IgnoredDifference.BLANK_LINES), wildcard_texts=("YOU WIN*",))
    begun, ended = [*TABLE, "? x", *TABLE[:3], "Score: 20"], ["Score: 20", "Bye"]
    expected = "\n".join([*begun, "YOU WIN!!!", *ended])
    assert judged(expected, "\n".join([*begun, "Won :-)", *begun[-4:], *ended]), comparison, "x").diagnosis is None
    diagnosis = judged(expected, "\n".join([*begun, *begun[-4:], *ended]), comparison, "x").diagnosis
    assert diagnosis is not None
    assert "`YOU WIN!!!`" in diagnosis.sentence


def test_an_open_text_may_hold_the_last_line() -> None:
    comparison = ComparisonPolicy(wildcard_lines=("Rule*",))
    expected = "3\nRule 1\nRule 2\n=====\n"
    assert judged(expected, "3\n=====\nBye\n=====\n", comparison).verdict is Verdict.PASSED
    assert judged(expected, "3\n=====\nBye\n", comparison).verdict is Verdict.WRONG_OUTPUT


MARKED = "Id <<Id>>: 2.345 in <<s>> s, x\n"
PATTERNS = {"Id": "[A-Z]+", "s": "[0-9]+"}


@pytest.mark.parametrize(
    ("tolerance", "ignore", "actual", "passes"),
    [
        (None, (), "Id AB: 2.345 in 3 s, x\n", True),
        (None, (), "Id ab: 2.345 in 3 s, x\n", False),
        (None, (IgnoredDifference.CASE,), "id AB: 2.345 IN 3 s, X\n", True),
        (None, (IgnoredDifference.CASE,), "id 12: 2.345 IN 3 s, X\n", False),
        (None, (IgnoredDifference.SPACE_CHANGE,), "Id  AB: 2.345 in   3 s, x\n", True),
        (Decimal("0.01"), (), "Id AB: 2.35 in 3 s, x\n", True),
        (Decimal("0.01"), (), "Id AB: 2.36 in 3 s, x\n", False),
        (Decimal("0.01"), (), "Id AB: 2.35 in 3.5 s, x\n", False),
        (None, (), MARKED, False),
        (None, (), "Id AB: 2.345 in <<s>> s, x\n", False),
    ],
)
def test_patterns_beside_what_is_ignored(
    tolerance: Decimal | None, ignore: tuple[IgnoredDifference, ...], actual: str, passes: bool
) -> None:
    comparison = replace(
        ignoring(*ignore), tolerance=None if tolerance is None else Tolerance(tolerance), patterns=PATTERNS
    )
    assert (judged(MARKED, actual, comparison).verdict is Verdict.PASSED) == passes


@pytest.mark.parametrize(
    ("comparison", "printed"),
    [
        (ignoring(IgnoredDifference.CASE), "<<T1>>"),
        (ignoring(IgnoredDifference.LINE_ORDER, IgnoredDifference.CASE), "<<T1>>"),
        (ignoring(IgnoredDifference.SPACE_CHANGE, IgnoredDifference.TRAILING_WHITESPACE), "<<t1>> "),
        (ComparisonPolicy(ignore_characters="\ufe0f"), "<<t\ufe0f1>>"),
        (ComparisonPolicy(tolerance=Tolerance(Decimal("0.1"))), "<<t1.0>>"),
        (ComparisonPolicy(tolerance=Tolerance(Decimal("0.1"))), "<<t1>>"),
    ],
)
def test_a_mark_that_is_printed_in_disguise_fits_no_pattern(comparison: ComparisonPolicy, printed: str) -> None:
    comparison = replace(comparison, patterns={"t1": r"[0-9]+\.[0-9]"})
    assert judged("Took <<t1>> s\n", "Took 1.5 s\n", comparison).verdict is Verdict.PASSED
    assert judged("Took <<t1>> s\n", f"Took {printed} s\n", comparison).verdict is Verdict.WRONG_OUTPUT


@pytest.mark.parametrize("tolerance", [None, Tolerance(Decimal("0.1"))])
def test_groups_and_flags_of_a_pattern_are_its_own(tolerance: Tolerance | None) -> None:
    comparison = ComparisonPolicy(tolerance=tolerance, patterns={"twice": r"([a-z])\1", "any": "(?i)[a-z]"})
    marked = "Time 3.5 <<twice>> <<twice>> <<any>>\n"
    assert judged(marked, "Time 3.5 aa bb C\n", comparison).verdict is Verdict.PASSED
    for wrong in ("aa ba C", "ab bb C", "aa bb 3"):
        assert judged(marked, f"Time 3.5 {wrong}\n", comparison).verdict is Verdict.WRONG_OUTPUT
    assert judged(marked, "time 3.5 aa bb c\n", comparison).verdict is Verdict.WRONG_OUTPUT


def test_an_open_text_may_hold_the_heading_that_follows_it() -> None:
    comparison = ComparisonPolicy(wildcard_lines=tuple(RULES))
    board = ["Board:", "1 2 3", "XX XX XX", "Moves: 0"]
    expected = [*RULES, *board, "? x", *board]
    for rules in (["Board:", "it has cards", "Moves:"], ["Read:", *board[:3], "all of it"]):
        right = judged("\n".join(expected), "\n".join([*rules, *board, "? x", *board]), comparison, "x")
        assert right.verdict is Verdict.PASSED
    wrong = [*RULES, "Board:", "1 2 3", "XX XX XX", "Moves: 1", "? x", *board]
    diagnosis = judged("\n".join(expected), "\n".join(wrong), comparison, "x").diagnosis
    assert diagnosis is not None
    assert "line 6" in diagnosis.sentence.casefold()


OWN_TEXTS = [["My", "own rules"], ["One line"], [RULES[0]], ["1.", "2.", "3.", "4."], ["1.", "", "2.", "", "3."]]


@pytest.mark.parametrize("rules", OWN_TEXTS)
def test_what_was_never_printed_is_not_shown_as_if_it_were(rules: list[str]) -> None:
    comparison = replace(ignoring(IgnoredDifference.BLANK_LINES), wildcard_lines=(*RULES, "Bye*"))
    board = ["Board", "4 5", "Bye, Ann", "4 5"]
    expected = "\n".join([RULES[0], "", RULES[1], *board])
    judgement = judged(expected, "\n".join([*rules, "Board", "4 5", "So long", "5 4"]), comparison)
    assert judgement.mended is not None
    shown = judgement.mended.actual.split("\n")
    assert {*shown} - {""} == {*rules, "Board", "4 5", "So long", "5 4"} - {""}
    assert judgement.mended.expected.split("\n") == [*shown[:-1], "4 5"]
    divergence = judgement.divergence
    assert divergence is not None
    assert divergence.line == len(shown)
    assert judgement.mended.expected_line(divergence.line) == len(expected.split("\n"))


def test_several_kinds_on_one_line_are_all_named() -> None:
    comparison = replace(ignoring(*IgnoredDifference), ignore_characters="\ufe0f", tolerance=Tolerance(Decimal(1)))
    judgement = judged("Card ♥\ufe0f  4\n\n", "card ♥ 5  ", comparison)
    assert judgement.verdict is Verdict.PASSED
    assert [note.kind for note in judgement.notes] == [
        NoteKind.TRAILING_WHITESPACE,
        NoteKind.SPACE_CHANGE,
        NoteKind.BLANK_LINES,
        NoteKind.CASE,
        NoteKind.CHARACTERS,
        NoteKind.NUMBERS,
    ]


def test_what_was_typed_is_found_again_after_mending() -> None:
    expected = "\nName: Ann\nHello Ann\n? q\n"
    judgement = judged(expected, "Name:   Ann\nHello Bob\n? q\n", ignoring(*IgnoredDifference), "Ann", "q")
    assert judgement.diagnosis is not None
    assert judgement.diagnosis.sentence == "After the input `Ann`: line 3 is `Hello Bob`; expected `Hello Ann`."
    assert mended(judgement) == "\nName: Ann\nHello Bob\n? q\n"


WORDS = st.text(st.sampled_from("aA b\t\n"), max_size=30)
POLICIES = st.sets(st.sampled_from([kind for kind in IgnoredDifference if kind is not IgnoredDifference.LINE_ORDER]))


def normal(text: str, ignore: Iterable[IgnoredDifference]) -> str:
    """`text` with everything that may be ignored taken out: the policy in other words."""
    if IgnoredDifference.CASE in ignore:
        text = text.lower()
    if IgnoredDifference.SPACE_CHANGE in ignore:
        text = re.sub("[ \t]+", " ", text)
    if IgnoredDifference.TRAILING_WHITESPACE in ignore:
        text = re.sub("[ \t]+$", "", text, flags=re.M)
    if IgnoredDifference.BLANK_LINES in ignore:
        text = "\n".join(line for line in text.split("\n") if line)
    return text


@example(expected="", actual=" ", ignore={IgnoredDifference.TRAILING_WHITESPACE})
@example(expected="a\n\t", actual="a\n", ignore={IgnoredDifference.TRAILING_WHITESPACE})
@settings(max_examples=150)
@given(expected=WORDS, actual=WORDS, ignore=POLICIES)
def test_exactly_what_is_equal_after_normalising_passes(
    expected: str, actual: str, ignore: set[IgnoredDifference]
) -> None:
    passed = judged(expected, actual, ignoring(*ignore)).verdict is Verdict.PASSED
    assert passed == (normal(expected, ignore) == normal(actual, ignore))


@given(lines=st.lists(st.sampled_from(["a", "b", "A b", ""])), data=st.data())
def test_lines_in_any_order_pass(lines: list[str], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(lines))
    ends = "".join(f"{line}\n" for line in lines), "".join(f"{line}\n" for line in shuffled)
    assert judged(*ends, ignoring(IgnoredDifference.LINE_ORDER)).verdict is Verdict.PASSED


@pytest.mark.parametrize(("extra", "cause"), [("", "blank-line"), ("Debug", "extra-line")])
def test_a_line_too_many_stays_where_it_is_if_all_others_are_in_order(extra: str, cause: str) -> None:
    judgement = judged("one\ntwo\nthree\n", f"one\n{extra}\ntwo\nthree\n", ignoring(IgnoredDifference.LINE_ORDER))
    assert judgement.divergence is not None
    assert judgement.diagnosis is not None
    assert (judgement.divergence.line, judgement.diagnosis.cause.id, judgement.notes) == (2, cause, ())


CLOSE = ComparisonPolicy(tolerance=Tolerance(Decimal("0.01")))


def test_a_number_that_is_close_enough_is_no_matter_of_spaces() -> None:
    comparison = replace(CLOSE, ignore=frozenset({IgnoredDifference.SPACE_CHANGE}))
    for actual, kinds in (("Price:   4.505\n", ["numbers"]), ("Price: 4.505\n", ["space-change", "numbers"])):
        judgement = judged("Price:   4.50\n", actual, comparison)
        assert [note.kind for note in judgement.notes] == kinds


@pytest.mark.parametrize(
    ("comparison", "expected", "actual"),
    [
        (CLOSE, "Total: 5\n", "Total: \0\n"),
        (replace(CLOSE, ignore_characters=","), "Total: 1,234\n", "Total: 1\n"),
        (replace(CLOSE, ignore=frozenset({IgnoredDifference.TRAILING_WHITESPACE})), "5\n", f"99{' ' * 10_001}\n"),
        (CLOSE, "EUR12.05\n", "EUR12.5\n"),
        (CLOSE, "EUR12.05\n", "EUR12.0000005\n"),
        (CLOSE, "EUR12.05\n", "EUR12.05.0\n"),
        (CLOSE, "x_1.05\n", "x_1.5\n"),
        (replace(CLOSE, ignore=frozenset({IgnoredDifference.CASE})), "EUR12.05\n", "eur12.5\n"),
        (CLOSE, "mean: .3333\n", "mean: .5\n"),
        (CLOSE, "mean: .3333\n", "mean: 3333\n"),
        (CLOSE, "p.33\n", "p.34\n"),
        (CLOSE, "12.05.2026\n", "12.05.2025\n"),
        (CLOSE, "wait...5\n", "wait...6\n"),
        (CLOSE, "[1. 2.]\n", "[1 2]\n"),
        (CLOSE, "The sum is 5.\n", "The sum is 5\n"),
        (CLOSE, "1. 10\n", "1 10\n"),
    ],
)
def test_a_number_that_is_missing_or_hidden_is_not_close(
    comparison: ComparisonPolicy, expected: str, actual: str
) -> None:
    assert judged(expected, actual, comparison).verdict is Verdict.WRONG_OUTPUT


@pytest.mark.parametrize(
    ("expected", "actual", "said"),
    [
        ("*  0  0  ", "* 0  0", "In line 1 there is one space before `0`, expected 2; all else is right."),
        ("*  0  0", "* 0  0\t", "In line 1 there is one space before `0`, expected 2"),
        (
            "Hello  ",
            "hello",
            "In line 1 uppercase and lowercase letters differ: `hello`, expected `Hello`; all else is right.",
        ),
        ("Sum: 6  ", "Sum: 7", "expected 6"),
        ("a   ", "a   b", "but then goes on with"),
    ],
)
def test_a_line_end_that_costs_nothing_is_no_place_that_differs(expected: str, actual: str, said: str) -> None:
    judgement = judged(f"{expected}\n", f"{actual}\n", ignoring(IgnoredDifference.TRAILING_WHITESPACE))
    assert judgement.diagnosis is not None
    assert said in judgement.diagnosis.sentence


@pytest.mark.parametrize(
    ("expected", "actual", "shown"),
    [
        ("1.0", "1th number is 1.0", "1.0"),
        ("1.0", "1 apple", "1.0"),
        ("1.0", "apple 1", "1.0"),
        ("1.0 apple", "1 pear", "1 apple"),
        ("Mean: 2.333, sum: 7", "Mean: 2.3333, sum: 8", "Mean: 2.3333, sum: 7"),
        ("2.333 3.5", "2.3333   3.6", "2.3333 3.5"),
        ("  2.333", "2.3333", "  2.3333"),
        ("2.333", "2.3333 ", "2.3333"),
        ("[2.333, 4]", "[2.3333]", "[2.333, 4]"),
    ],
)
def test_a_close_number_in_a_wrong_line_is_shown_as_printed_where_it_has_the_same_neighbours(
    expected: str, actual: str, shown: str
) -> None:
    comparison = ComparisonPolicy(tolerance=Tolerance(relative=Decimal("0.001")))
    judgement = judged(f"{expected}\n", f"{actual}\n", comparison)
    assert judgement.divergence is not None
    assert judgement.divergence.expected == shown
    assert judgement.diagnosis is not None
    assert "goes on" not in judgement.diagnosis.sentence


def test_numbers_are_read_without_the_characters_that_cost_nothing() -> None:
    comparison = replace(CLOSE, ignore_characters=",")
    assert judged("Total: 1,234\n", "Total: 1234.001\n", comparison).verdict is Verdict.PASSED


@pytest.mark.parametrize("actual", [".33", ".33333333333333333333", "0.3333", "+.334"])
def test_a_number_may_begin_with_its_point(actual: str) -> None:
    assert judged("mean: .3333\n", f"mean: {actual}\n", CLOSE).verdict is Verdict.PASSED
    assert (
        judged("mean: .3333 <<s>>\n", f"mean: {actual} 15\n", replace(CLOSE, patterns=PATTERNS)).verdict
        is Verdict.PASSED
    )


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ("[1. 2.]\n", "[1.004 2.]\n"),
        ("[1., 2.]\n", "[1.0, 2.001]\n"),
        ("The sum is 5.\n", "The sum is 5.00.\n"),
        ("[[1. 2.]\n [3. 4.]]\n", "[[1. 2.]\n [2.995 4.]]\n"),
    ],
)
def test_a_number_may_end_in_its_point(expected: str, actual: str) -> None:
    assert judged(expected, actual, CLOSE).verdict is Verdict.PASSED


def test_numbers_may_be_off_in_a_long_line_too() -> None:
    expected, actual = (f"{' '.join(f'{number}{more}' for number in range(5_000))}\n" for more in ("", ".001"))
    assert judged(expected, actual, CLOSE).verdict is Verdict.PASSED
    assert judged(expected, actual.replace(" 77.001 ", " 78.001 "), CLOSE).verdict is Verdict.WRONG_OUTPUT


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        (["1.00", "1.02"], ["1.01", "0.99"]),
        (["1.00", "1.01"], ["1.02", "1.01"]),
        ([f"{number}" for number in range(1000)], [f"{number}.001" for number in reversed(range(1000))]),
    ],
)
def test_lines_with_numbers_that_are_close_may_be_in_any_order(expected: list[str], actual: list[str]) -> None:
    comparison = replace(CLOSE, ignore=frozenset({IgnoredDifference.LINE_ORDER}))
    wanted, found = ("".join(f"{line}\n" for line in lines) for lines in (expected, actual))
    assert judged(wanted, found, comparison).verdict is Verdict.PASSED
    assert judged(wanted, found.replace(actual[1], "5000"), comparison).verdict is Verdict.WRONG_OUTPUT


ANY_ORDER = replace(
    ignoring(IgnoredDifference.LINE_ORDER),
    tolerance=Tolerance(Decimal("0.15")),
    patterns={"word": r"\w+", "number": r"\d+", "small": "[0-4]"},
)


@pytest.mark.slow
@given(
    st.lists(
        st.sampled_from(["<<word>>", "<<number>>", "<<small>>", "1.1 2.2", "1.2 2.0", "1.0 2.1", "a"]), max_size=5
    ),
    st.lists(st.sampled_from(["7", "3", "b", "1.1 2.1", "1.2 2.1", "1.3 2.3", "a"]), max_size=5),
)
def test_lines_in_any_order_pass_if_there_is_a_way_to_pair_them(expected: list[str], actual: list[str]) -> None:
    in_order = replace(ANY_ORDER, ignore=frozenset())
    wanted, found = ("".join(f"{line}\n" for line in lines) for lines in (expected, actual))
    ways = ("".join(f"{line}\n" for line in way) for way in permutations(actual))
    right = len(expected) == len(actual) and any(
        judged(wanted, way, in_order).verdict is Verdict.PASSED for way in ways
    )
    assert (judged(wanted, found, ANY_ORDER).verdict is Verdict.PASSED) == right


@pytest.mark.slow
def test_many_lines_that_could_take_many_places_are_paired_in_reasonable_time() -> None:
    expected = "".join("<<word>>\n" for _ in range(1_000)) + "<<number>>\n" * 1_000
    actual = "".join(f"{number}\n" for number in range(1_000)) + "word\n" * 1_001
    assert judged(expected, actual, ANY_ORDER).verdict is Verdict.WRONG_OUTPUT


@pytest.mark.slow
@pytest.mark.parametrize(
    "comparison", [ignoring(*IgnoredDifference), replace(ignoring(), tolerance=Tolerance(Decimal(1)))]
)
def test_large_transcripts_are_mended_in_reasonable_time(comparison: ComparisonPolicy) -> None:
    expected, actual = "a  1\n\n" * 20_000 + "b\n" * 20_000, "a 1\n" * 24_000 + "c \n" * 24_000
    assert judged(expected, actual, comparison).verdict is Verdict.WRONG_OUTPUT


@pytest.mark.parametrize(
    "comparison",
    [
        ComparisonPolicy(wildcard_texts=("Thinking *",)),
        ComparisonPolicy(wildcard_lines=("Thinking *", "Thanks *")),
    ],
)
@pytest.mark.parametrize("before", ["", "Some text\n"])
def test_a_traceback_is_no_open_text(comparison: ComparisonPolicy, before: str) -> None:
    trace = 'Traceback (most recent call last):\n  File "double.py", line 3, in <module>\n    main()\nKeyError: 5\n'
    test = replace(game("f"), comparison=comparison, ending=ExitsBetween(1, 255))
    expected = "? f\nThinking a\n" + "Thanks b\n" * bool(comparison.wildcard_lines)
    assert judge(test, expected, exited(test, expected, 1)).verdict is Verdict.PASSED
    assert judge(test, expected, exited(test, f"? f\n{before}{trace}", 1)).verdict is Verdict.CRASH


@pytest.mark.parametrize("prompt", ["", "? "])
def test_a_traceback_stays_in_one_piece(prompt: str) -> None:
    trace = "Traceback (most recent call last):\n"
    trace += '  File "solitaire_1.py", line 3, in <module>\n    main()\nKeyError: 5\n'
    test = replace(game("f"), comparison=ignoring(IgnoredDifference.BLANK_LINES))
    outcome = exited(test, f"? f\n{prompt}{trace}", 1)
    judgement = judge(test, "? f\n\nError\n\n\na\n\nb\n\nc\n\nd\n", outcome)
    assert judgement.diagnosis is not None
    assert judgement.diagnosis.sentence == "The program stops in line 3 (`main()`) with KeyError: 5."
    assert judgement.notes == ()


STOPPED = """\
Traceback (most recent call last):
  File "solitaire_1.py", line 3, in <module>
    main()
KeyError: 5
"""
UNREADABLE = """\
  File "solitaire_1.py", line 3
    print 'Rules'
    ^^^^^^^^^^^^^
SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?
"""


@pytest.mark.parametrize("wildcard_lines", [("The game*",), ("The game*", "More*"), ("The game*", "More*", "Hands")])
@pytest.mark.parametrize(("trace", "cause"), [(STOPPED, "crash"), (UNREADABLE, "syntax-error")])
def test_an_open_text_is_not_what_python_says_when_the_program_stops(
    wildcard_lines: tuple[str, ...], trace: str, cause: str
) -> None:
    expected = "Hands\nThe game is open\nMore is open\nand\nThe game is open\n"
    test = replace(
        game(),
        comparison=ComparisonPolicy(wildcard_lines=wildcard_lines, ignore=frozenset({IgnoredDifference.BLANK_LINES})),
    )
    for before in ("", "Hands\n"):
        judgement = judge(test, expected, exited(test, before + trace, 1))
        assert judgement.verdict is Verdict.CRASH
        assert judgement.diagnosis is not None
        assert judgement.diagnosis.cause.id == cause
        assert judgement.notes == ()


def test_lines_are_counted_in_what_is_shown_beside_the_expected_transcript() -> None:
    """An empty line that is missing before a wrong one is let pass, so it must be counted on both sides."""
    judgement = judged("\nError: 2\n", "Error: 1\n", ignoring(IgnoredDifference.BLANK_LINES))
    assert judgement.divergence == find_first_difference("\nError: 2\n", mended(judgement))
    assert mended(judgement) == "\nError: 1\n"


@pytest.mark.slow
def test_every_line_of_a_long_transcript_may_differ_in_what_is_ignored() -> None:
    expected = "".join(f"line {number}\n" for number in range(30_000))
    comparison = ignoring(IgnoredDifference.TRAILING_WHITESPACE, IgnoredDifference.BLANK_LINES)
    assert judged(expected, expected.replace("\n", " \n\n"), comparison).verdict is Verdict.PASSED


@pytest.mark.parametrize("kind", [IgnoredDifference.BLANK_LINES, IgnoredDifference.LINE_ORDER])
def test_what_follows_far_more_lines_than_expected_stays_as_it_is(kind: IgnoredDifference) -> None:
    comparison = ignoring(kind, IgnoredDifference.TRAILING_WHITESPACE)
    judgement = judged("a\nb\n", "a\nb\n" + 30_000 * "x\n" + "y \n", comparison)
    assert judgement.verdict is Verdict.WRONG_OUTPUT
    assert judgement.divergence is not None
    assert (judgement.divergence.line, judgement.divergence.actual) == (3, "x")
    surplus = judged("a\n", "a\n" + 30_000 * "\n", ignoring(IgnoredDifference.BLANK_LINES))
    assert surplus.verdict is Verdict.WRONG_OUTPUT


@pytest.mark.parametrize(
    ("expected", "actual", "said"),
    [
        ("b\n\nx y\nc\n", "b\nc\n", "Line 3, `x y`, is missing; all else is right, one line too early."),
        ("\n\nb\nc\n", "\nnew\nb\nc\n", "Line 3, `new`, should not be there; all else is right, one line too late."),
        ("a\n\nb\nc\n", "a\nb\nb\nc\n", "Line 4, `b`, is printed twice; all else is right, one line too late."),
        ("b\n\n\n", "b\n\nTotal: 5\n", "All 3 expected lines are right, but then comes `Total: 5`."),
        ("a\nb\n", "a\n\n", "The output is right up to line 1 and stops there; one line, `b`, is missing."),
    ],
)
def test_blank_lines_that_do_not_count_are_not_the_difference(expected: str, actual: str, said: str) -> None:
    judgement = judged(expected, actual, ignoring(IgnoredDifference.BLANK_LINES))
    assert judgement.diagnosis is not None
    assert judgement.diagnosis.sentence == said


LINES = st.lists(st.sampled_from(["", "a", "b", "Total: 5"]), max_size=6)


@given(LINES, LINES)
@settings(deadline=None)
def test_no_blank_line_is_expected_where_blank_lines_do_not_count(before: list[str], after: list[str]) -> None:
    expected, actual = (f"a\n{chr(10).join(lines)}\n" for lines in (before, after))
    judgement = judged(expected, actual, ignoring(IgnoredDifference.BLANK_LINES))
    assert judgement.diagnosis is None or "blank line" not in judgement.diagnosis.sentence


@pytest.mark.parametrize("kind", [IgnoredDifference.TRAILING_WHITESPACE, IgnoredDifference.SPACE_CHANGE])
@pytest.mark.parametrize(("wanted", "printed"), [("", "  "), ("  ", ""), (" ", "\t ")])
def test_spaces_at_the_end_that_do_not_count_are_not_shown(kind: IgnoredDifference, wanted: str, printed: str) -> None:
    judgement = judged(f"Total: 5{wanted}\nend\n", f"Total: 6{printed}\nend\n", ignoring(kind))
    assert judgement.mended is not None
    assert (judgement.mended.expected, judgement.mended.actual) == ("Total: 5\nend\n", "Total: 6\nend\n")


def test_spaces_that_do_not_count_are_shown_as_printed() -> None:
    judgement = judged("a   b  c\n", "a b   d\n", ignoring(IgnoredDifference.SPACE_CHANGE))
    assert judgement.mended is not None
    assert (judgement.mended.expected, judgement.mended.actual) == ("a b   c\n", "a b   d\n")


def test_what_was_typed_stays_in_its_line_when_spaces_are_cut() -> None:
    policy = ignoring(IgnoredDifference.TRAILING_WHITESPACE)
    judgement = judged("Number:4\nTotal: 5\n", "Numbers: 4 \nTotal: 6\n", policy, "4 ")
    assert judgement.mended is not None
    assert [line.offset for line in judgement.mended.typed] == [len("Numbers: ")]
