"""Tests that are written: what they say is read as it was meant, and what was there stays."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from grader.model.assignment import Assignment
from grader.plugins.searching.entry_text import entry_text
from grader.plugins.searching.seeds.explore import SelectedTest, choose, explore
from grader.plugins.searching.seeds.search_file import SeedSearch, SeedsError, read_searches
from grader.plugins.searching.seeds.tests_file import addition, file_of, write
from grader.spec.course import Course

LINES = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("#:,[]{}'\"-$ 01"), max_size=200)


@given(LINES, LINES, st.lists(LINES, max_size=5), st.lists(LINES, max_size=5))
def test_entries_are_read_as_they_were_meant(title: str, deck: str, lines: list[str], texts: list[str]) -> None:
    entry: dict[str, Any] = {
        "id": "x",
        "title": title,
        "compare": {"wildcard_lines": texts},
        "deck": deck,
        "input": lines,
    }
    assert yaml.load(f"tests:\n{entry_text(entry)}", yaml.BaseLoader) == {"tests": [entry]}


def found(course: Path) -> tuple[Assignment, SeedSearch, tuple[SelectedTest, ...]]:
    assignment = Course(course).assignment("game")
    [search] = read_searches(assignment)
    return assignment, search, choose(assignment, explore(assignment, search, jobs=1, tick=lambda: None))


def seeds(course: Path, values: str) -> None:
    file = course / "test_specs" / "game" / "seeds.yaml"
    file.write_text(file.read_text().replace("[-5..17]", values))


@pytest.mark.slow
def test_the_tests_are_loaded_and_there_the_next_time(game_course: Path) -> None:
    assignment, search, chosen = found(game_course)
    write(assignment, search, addition(assignment, search, chosen))
    assignment, search, chosen = found(game_course)
    assert {one.existing for one in chosen} == {one.test.id for one in chosen}
    assert not addition(assignment, search, chosen)
    loaded = {test.id: test for test in assignment.tests}
    for one in chosen:
        assert loaded[one.test.id].comparison == one.test.comparison != loaded["second-7"].comparison
        assert loaded[one.test.id].interaction == one.test.interaction
        assert loaded[one.test.id].provision == one.test.provision


@pytest.mark.slow
def test_a_test_like_one_that_may_leave_input_may_leave_it_too(game_course: Path) -> None:
    tests = game_course / "test_specs" / "game" / "tests" / "games.yaml"
    tests.write_text(tests.read_text().replace("input: [0, y]", "input: [0, y], may_leave_input: true"))
    assignment, search, chosen = found(game_course)
    write(assignment, search, addition(assignment, search, chosen))
    loaded = {test.id: test for test in Course(game_course).assignment("game").tests}
    assert all(loaded[one.test.id].may_leave_input for one in chosen)
    assert not loaded["second-7"].may_leave_input


def test_what_is_there_already_is_neither_changed_nor_written_again(game_course: Path) -> None:
    seeds(game_course, "[0, 17]")
    assignment, search, chosen = found(game_course)
    assert [one.existing for one in chosen] == [None, "first"]
    write(assignment, search, addition(assignment, search, chosen))
    file = file_of(assignment, search)
    # An instructor gives the test points, and takes the last line end away.
    before = file.read_text().replace("points: 0", "points: 0.0").rstrip()
    file.write_text(before)
    seeds_file = game_course / "test_specs" / "game" / "seeds.yaml"
    seeds_file.write_text(seeds_file.read_text().replace("[0, 17]", "[0, 17, -5]"))
    assignment, search, chosen = found(game_course)
    write(assignment, search, addition(assignment, search, chosen))
    assert file.read_text().startswith(f"{before}\n  # the player wins")
    assert {test.id for test in Course(game_course).assignment("game").tests} >= {"found-17", "found--5", "first"}


def test_ids_that_are_taken_are_refused(game_course: Path) -> None:
    seeds(game_course, "[17]")
    tests = game_course / "test_specs" / "game" / "tests" / "games.yaml"
    tests.write_text(tests.read_text() + "  - {id: found-17, points: 0, input: [19]}\n")
    with pytest.raises(SeedsError, match="another test `found-17`: give the search `found` another id"):
        addition(*found(game_course))


@pytest.mark.slow
def test_a_file_with_other_tests_is_refused(game_course: Path) -> None:
    assignment = game_course / "test_specs" / "game" / "assignment.yaml"
    assignment.write_text(assignment.read_text().replace("marks: 4}", "marks: 4}\n  - {id: more, title: M, marks: 1}"))
    other = "format: 1\nprogram: game.py\npart: more\ntests: [{id: other, points: 1, input: [19]}]\n"
    (game_course / "test_specs" / "game" / "tests" / "found.yaml").write_text(other)
    with pytest.raises(SeedsError, match="holds other tests: give the search `found` another id"):
        addition(*found(game_course))


@pytest.mark.slow
def test_a_file_that_cannot_be_added_to_stays_as_it_was(game_course: Path) -> None:
    file = game_course / "test_specs" / "game" / "tests" / "found.yaml"
    text = "format: 1\nprogram: game.py\ntests: [{id: other, points: 0, input: [19]}]\npart: games\n"
    file.write_text(text)
    assignment, search, chosen = found(game_course)
    with pytest.raises(SeedsError, match="expected `tests` as its last key"):
        write(assignment, search, addition(assignment, search, chosen))
    assert file.read_text() == text
    file.unlink()
    with pytest.raises(SeedsError, match="cannot be added to"):
        write(assignment, search, "format: 2\n")
    assert not file.exists()
