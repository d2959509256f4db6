"""The keys `keys` and `screen` in the spec files."""

from pathlib import Path

import pytest

from grader.model.ending import AsksAgain
from grader.model.partial_credit import PartialChecks, PartialCredit
from grader.plugins.screens.interaction import ScreenDialogue
from grader.plugins.screens.partial_frames import PartialFrames
from grader.plugins.screens.settings import ScreenPart, Span
from tests.plugins.screens.conftest import screen_settings
from tests.spec.spec_folder import ASSIGNMENT, TESTS, load, problems_of, write_assignment


def write(folder: Path, test: str) -> Path:
    (folder / "reference").mkdir(parents=True)
    return write_assignment(folder, ASSIGNMENT, play=TESTS.replace("{id: one, input: [1]}", f"{{{test}}}"))


def test_a_screen_has_a_usual_size(tmp_path: Path) -> None:
    (test,) = load(write(tmp_path, "id: one, keys: [<up>, q]")).tests
    assert test.interaction == ScreenDialogue(("<up>", "q"), screen=screen_settings())
    assert test.needs_reference


def test_a_screen_can_be_described(tmp_path: Path) -> None:
    screen = "{rows: 10, columns: 30, compare: [text, cursor], only_rows: 2..5, only_columns: 3..4}"
    (test,) = load(write(tmp_path, f"id: one, keys: [q], screen: {screen}, asks_again: true")).tests
    settings = screen_settings(
        ScreenPart.TEXT, ScreenPart.CURSOR, rows=10, columns=30, shown_rows=Span(2, 5), shown=Span(3, 4)
    )
    assert test.interaction == ScreenDialogue(("q",), screen=settings)
    assert test.ending == AsksAgain()


def test_values_of_a_loop_are_filled_in(tmp_path: Path) -> None:
    tests = load(write(tmp_path, "id: one-$n, for: {n: [1, 2]}, points: 0.5, keys: [$n<enter>]")).tests
    assert [test.interaction.lines for test in tests if isinstance(test.interaction, ScreenDialogue)] == [
        ("1<enter>",),
        ("2<enter>",),
    ]


def test_a_region_can_reach_the_edge_of_the_screen(tmp_path: Path) -> None:
    (test,) = load(write(tmp_path, "id: one, keys: [q], screen: {rows: 5, only_rows: 5..5, only_columns: 1..80}")).tests
    assert test.interaction == ScreenDialogue(("q",), screen=screen_settings(rows=5, shown_rows=Span(5, 5)))


def test_frames_and_checks_give_partial_credit(tmp_path: Path) -> None:
    (test,) = load(write(tmp_path, "id: one, keys: [q], partial: frames, partial_if_stopped: true")).tests
    assert test.partial == PartialCredit(PartialFrames(), if_stopped=True)
    (test,) = load(write(tmp_path / "b", "id: one, keys: [q], partial: checks, expect: [{contains: a}]")).tests
    assert test.partial == PartialCredit(PartialChecks())
    assert not test.needs_reference


@pytest.mark.parametrize(
    ("test", "problem"),
    [
        ("id: one, keys: [<upp>]", "found the key `<upp>`; did you mean `up`?"),
        ("id: one, keys: [q], input: [a]", "found `input` and `keys` here"),
        ("id: one, keys: [q], checker: same", "found `checker` beside `keys`; expected one of them"),
        ("id: one, keys: [q], echo: false", "found `echo` beside `keys`; expected one of them"),
        ("id: one, input: [q], screen: {rows: 5}", "found `screen` without `keys`"),
        ("id: one, keys: [q], screen: {rows: 0}", "found `0`; expected at least 1"),
        ("id: one, keys: [q], screen: {only_rows: 5..2}", "found `5..2`; expected two numbers from 1 to 500"),
        ("id: one, keys: [q], screen: {compare: [sound]}", "sound"),
        ("id: one, keys: [q], screen: {columns: 501}", "found `501`; expected at most 500"),
        (
            "id: one, keys: [q], screen: {only_rows: 20..30}",
            "6:34: found `only_rows: 20..30` on a screen of 24 rows; expected at most `24` as the last number, "
            "or a larger `rows`",
        ),
        (
            "id: one, keys: [q], screen: {columns: 40, only_columns: 1..41}",
            "found `only_columns: 1..41` on a screen of 40 columns; expected at most `40`",
        ),
        ("id: one, keys: [q], screen: {only_rows: 1..1000}", "found `1..1000`; expected two numbers from 1 to 500"),
        ("id: one, keys: [q], partial: steps", "found `partial: steps` beside `keys`; expected `frames`, or `checks`"),
        ("id: one, keys: [q], milestones: [{text: a, share: 1}]", "found `milestones` beside `keys`"),
        ("id: one, keys: [q], visibility: public, sealed: true", "found `sealed` beside `keys`"),
        ("id: one, input: [q], partial: frames", "found `partial: frames` without `keys`"),
        (
            "id: one, keys: [q], partial: frames, expect: [{contains: a}]",
            "found shares of a transcript and `expect`; expected `partial: checks`",
        ),
    ],
)
def test_mistakes_are_explained(test: str, problem: str, tmp_path: Path) -> None:
    assert problem in problems_of(write(tmp_path, test))
