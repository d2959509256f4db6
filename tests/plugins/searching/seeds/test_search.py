"""seeds.yaml: what is varied how, and clear words about what cannot be."""

from pathlib import Path

import pytest

from grader.errors import GraderError, SpecError
from grader.model.interaction import typed_lines
from grader.plugins.searching.seeds.search_file import SeedSearch, SeedsError, read_searches
from grader.spec.course import Course


def search(course: Path, entry: str) -> SeedSearch:
    (course / "test_specs" / "game" / "seeds.yaml").write_text(f"format: 1\nsearches:\n  - {entry}\n")
    [found] = read_searches(Course(course).assignment("game"))
    return found


def test_a_line_of_the_input_is_varied(game_course: Path) -> None:
    found = search(game_course, "{id: found, test: second-7, vary: input, values: [-1..1, 7, 0], title: seed $value}")
    assert [one.id for one in found.candidates] == ["found--1", "found-0", "found-1", "found-7"]
    first = found.candidates[0]
    assert first.title == "seed -1"
    assert typed_lines(first.template.test.interaction) == ("-1", "y")
    assert first.template.test.provision.random_seed == 8
    assert first.template.keys == {"compare": {"tolerance": "0.5"}}


def test_another_line_is_varied(game_course: Path) -> None:
    found = search(game_course, "{id: found, test: first, vary: input, line: 2, values: [n, y]}")
    assert [typed_lines(one.template.test.interaction) for one in found.candidates] == [("0", "n"), ("0", "y")]


def test_the_random_seed_is_varied(game_course: Path) -> None:
    found = search(game_course, "{id: found, test: second-7, vary: random_seed, values: [3, 4]}")
    assert [one.template.test.provision.random_seed for one in found.candidates] == [3, 4]
    assert {typed_lines(one.template.test.interaction) for one in found.candidates} == {("7", "y")}


def test_decks_are_as_many_cards_of_a_pack_as_the_test_has(game_course: Path) -> None:
    found = search(game_course, "{id: found, test: first, vary: deck, values: [0..9]}")
    decks = [(one.template.test.provision.deck or "").split() for one in found.candidates]
    assert {len(set(deck)) for deck in decks} == {3}
    assert len({tuple(deck) for deck in decks}) == 10
    # A second search finds the same decks.
    assert decks[0] == ["3♥", "K♣", "7♠"]


@pytest.mark.parametrize(
    ("entry", "deck"),
    [
        ("{id: found, test: second-7, vary: deck, values: [1]}", 52),
        ("{id: found, test: second-7, vary: deck, cards: 5, values: [1]}", 5),
        ("{id: found, test: second-7, vary: deck, pack: 1C 1D 1H, values: [1]}", 3),
        ("{id: found, test: first, vary: deck, cards: 2, pack: 1C 1C, values: [1]}", 2),
    ],
)
def test_the_number_of_cards(game_course: Path, entry: str, deck: int) -> None:
    [candidate] = search(game_course, entry).candidates
    assert len((candidate.template.test.provision.deck or "").split()) == deck


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("{id: a, test: frist, vary: input, values: [1]}", "3:19: there is no test `frist`; did you mean `first`?"),
        ("{id: a, test: first, vary: input, line: 3, values: [1]}", "found 3, but `first` types 2 lines"),
        ("{id: a, test: first, vary: deck, cards: 60, values: [1]}", "found 60 cards to be dealt from a `pack` of 52"),
        ("{id: a, test: first, vary: deck, values: [x]}", "found `x`; expected whole numbers as values"),
        ("{id: a, test: first, vary: input, values: [1 2]}", "found `a-1 2`; expected a value that makes the id"),
        ("{id: a, test: first, vary: input, cards: 3, values: [1]}", "which are for `vary: deck`"),
        (
            "{id: a, test: first, vary: input, values: [1], events: {won: (}}",
            "a regular expression (missing )",
        ),
        ("{id: a, test: first, vary: input, values: [1], lengths: [4, 4]}", "each larger than the one before it"),
        ("{id: a, test: first, vary: seed, values: [1]}", "expected `input`, `deck` or `random_seed`"),
    ],
)
def test_faults_are_worded(game_course: Path, entry: str, said: str) -> None:
    with pytest.raises(SpecError) as caught:
        search(game_course, entry)
    assert said in str(caught.value)


def test_two_searches_have_two_names(game_course: Path) -> None:
    entry = "{id: found, test: first, vary: input, values: [1]}"
    with pytest.raises(SpecError, match="4:10: `found` is given twice"):
        search(game_course, f"{entry}\n  - {entry}")


def test_a_test_that_types_nothing_and_a_course_without_modules(game_course: Path) -> None:
    tests = game_course / "test_specs" / "game" / "tests" / "games.yaml"
    tests.write_text(tests.read_text() + "  - {id: called, points: 0, call: play(1)}\n")
    with pytest.raises(SpecError, match="`called` has no `input`"):
        search(game_course, "{id: found, test: called, vary: input, values: [1]}")
    specs = game_course / "test_specs" / "game"
    (specs / "assignment.yaml").write_text(
        (specs / "assignment.yaml").read_text().replace("provided:\n  - {file: cards.py}\n", "")
    )
    tests.write_text(tests.read_text().replace("deck: A♠ K♠ 10♥, ", "").replace("random_seed: 8, ", ""))
    with pytest.raises(SpecError, match="`deck` is for `provided` modules"):
        search(game_course, "{id: found, test: first, vary: deck, values: [1]}")


def test_an_assignment_without_seeds_yaml_or_python(game_course: Path) -> None:
    specs = game_course / "test_specs" / "game"
    (game_course / "reference" / "game.cpp").write_text("int main() {}\n")
    text = (specs / "assignment.yaml").read_text()
    (specs / "assignment.yaml").write_text(text.replace("file: game.py,", "file: game.py, reference: game.cpp,"))
    with pytest.raises(SeedsError, match=r"game.cpp is not in Python"):
        read_searches(Course(game_course).assignment("game"))
    (specs / "seeds.yaml").unlink()
    with pytest.raises(GraderError, match=r"seeds.yaml is missing"):
        read_searches(Course(game_course).assignment("game"))
