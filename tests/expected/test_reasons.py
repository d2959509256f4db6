"""The rules that references name: taken out of their output, kept beside it, found again where a transcript differs."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.expected.because import because
from grader.expected.rationale import RationaleError, RuleReason, RuleReasons, read_reasons, reasons_in
from grader.text.difference import FirstDifference, find_first_difference

TEXT = st.text(st.sampled_from("ab \n\t\u2639\U0001f0a1"), max_size=8)
RULES = st.sampled_from(["", "two go", "three go: the first two", "0\u2660 \\ 'quoted'"])
PIECES = st.lists(st.tuples(st.none() | RULES, TEXT), max_size=8)


@given(PIECES)
def test_what_is_printed_is_the_same_with_and_without_rules(pieces: list[tuple[str | None, str]]) -> None:
    plain = "".join(text for _, text in pieces)
    marked = "".join(text if rule is None else because(rule, text) for rule, text in pieces)
    assert reasons_in(marked)[0] == plain


@given(PIECES)
def test_every_rule_is_found_where_its_text_stands(pieces: list[tuple[str | None, str]]) -> None:
    marked = "".join(text if rule is None else because(rule, text) for rule, text in pieces)
    plain, reasons = reasons_in(marked)
    before = ""
    wanted = []
    for rule, text in pieces:
        for number, line in enumerate(text.split("\n")):
            before += "\n" if number else ""
            if rule is not None:
                wanted.append(RuleReason(before.count("\n") + 1, len(before) - before.rfind("\n"), rule))
            before += line
    assert reasons == RuleReasons(tuple(wanted))
    assert before == plain


@given(PIECES)
def test_what_is_kept_is_read_again(tmp_path_factory: pytest.TempPathFactory, pieces: list[tuple[str, str]]) -> None:
    _, reasons = reasons_in("".join(because(rule or "none", text) for rule, text in pieces))
    file = tmp_path_factory.getbasetemp() / "t.canonical.because.json"
    file.write_text(reasons.text(), encoding="utf-8")
    assert read_reasons(file) == RuleReasons(tuple(sorted(reasons.reasons)))


def test_the_format() -> None:
    lines = because("deal", "a\nb\nc"), because("two go", "d") + " " + because("deal", "e")
    _, reasons = reasons_in("\n".join(["Seed: 1", *lines]))
    assert reasons.text() == (
        '{"format": 1, "because": [\n'
        '{"rule": "deal", "places": ["2-4", "5:3"]},\n'
        '{"rule": "two go", "places": ["5"]}\n'
        "]}\n"
    )


@pytest.mark.parametrize(
    ("actual", "rule"),
    [
        ("Seed: 2\n", None),
        ("Seed: 1\nA\tX\n", "second"),
        ("Seed: 1\nX\tB\n", "first"),
        ("Seed: 1\nA\tB\nX\n", None),
        ("Seed: 1\nA", "second"),
        ("Seed: 1\n", "first"),
        ("Seed: 1\nA\tBC\n", "second"),
        ("Seed: 1\nA\tb!\n", None),
        ("Seed: 1\nA B\n", None),
        ("Seed: 1\nA -B\n", "second"),
    ],
)
def test_the_rule_behind_a_difference(actual: str, rule: str | None) -> None:
    marked = because("first", "A") + because("second", "\tB")
    plain, reasons = reasons_in(f"Seed: 1\n{marked}\nC\n")
    divergence = find_first_difference(plain, actual)
    assert divergence is not None
    assert reasons.at(divergence) == rule


def test_a_rule_is_behind_the_column_in_which_something_stands() -> None:
    plain, reasons = reasons_in(because("leftmost", "\t5H") + "\n")
    other_column, other_end = (find_first_difference(plain, text) for text in ("\t\t5H\n", "\t5H.\n"))
    assert other_column is not None
    assert other_end is not None
    assert (reasons.at(other_column), reasons.at(other_end)) == ("leftmost", None)


def test_an_empty_rule_ends_the_one_before() -> None:
    plain, reasons = reasons_in(because("first", "A") + because("", " B") + because("third", " C") + "\n")
    found = [find_first_difference(plain, plain.replace(letter, "X")) for letter in "ABC"]
    assert [reasons.at(difference) for difference in found if difference] == ["first", None, "third"]


def test_without_reasons_there_is_no_rule(tmp_path: Path) -> None:
    assert read_reasons(tmp_path / "none.because.json").at(FirstDifference(1, 1, "a", "b")) is None


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": 2, "because": []}', '{"format": 1, "because": [{}]}', "\xe9"]
)
def test_another_file_is_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "t.canonical.because.json"
    file.write_text(text, encoding="latin-1")
    with pytest.raises(RationaleError, match=r"t\.canonical\.because\.json cannot be read; expected what"):
        read_reasons(file)
