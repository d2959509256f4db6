"""References are run, and what they reach is seen."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from grader.plugins.searching.branches.runner import BranchRunError
from grader.plugins.searching.seeds.explore import CandidateCoverage, Exploration, GoalKind, explore
from grader.plugins.searching.seeds.search_file import read_searches
from grader.spec.course import Course


def explored(course: Path, source: str | None = None, **changes: object) -> Exploration:
    """The search of the course, with another reference, tried with the values 0 to 3 unless `changes` say otherwise."""
    if source is not None:
        (course / "reference" / "game.py").write_text(source)
    assignment = Course(course).assignment("game")
    [search] = read_searches(assignment)
    entry = search.entry.model_copy(update={"values": ("0", "1", "2", "3"), **changes})
    return explore(assignment, replace(search, entry=entry), jobs=1, tick=lambda: None)


def names(one: CandidateCoverage, kind: GoalKind) -> set[str]:
    return {goal.name for goal in one.goals if goal.kind is kind}


def test_events_lengths_branches_and_the_lines_that_are_read(game_course: Path) -> None:
    found = explored(game_course, values=("17", "-2"))
    won, lost = found.reached
    assert names(won, GoalKind.EVENT) == {"nobody wins", "a card is dealt"}
    assert names(won, GoalKind.LENGTH) == {"6 lines or more"}
    assert (won.read, lost.read) == (2, 1)
    assert "line 21 to 22" in names(won, GoalKind.BRANCH)
    assert "line 21 to 22" not in names(lost, GoalKind.BRANCH)
    assert names(lost, GoalKind.LENGTH) == {"fewer than 4 lines"}
    assert {goal.name for goal in found.goals if goal.kind is not GoalKind.BRANCH} == {
        *("the player wins", "nobody wins", "a card is dealt"),
        *("fewer than 4 lines", "4 to 5 lines", "6 lines or more"),
    }
    assert won.goals | lost.goals < found.goals


def test_the_transcript_is_that_of_a_terminal(game_course: Path) -> None:
    source = (
        "import os, sys\n"
        "print(input('a? '))\n"
        "os.write(1, b'')\n"
        "for line in sys.stdin:\n"
        "    print(line, end='', file=sys.stderr)\n"
    )
    events: Mapping[str, str] = {"whole": r"\Aa\? 0\n0\ny\ny\n\Z"}
    assert names(explored(game_course, source, events=events).reached[0], GoalKind.EVENT) == {"whole"}


def test_every_variant_counts(game_course: Path) -> None:
    found = explored(game_course, events={"one": "wins", "other": "is the winner"})
    assert {name for one in found.reached for name in names(one, GoalKind.EVENT)} == {"one", "other"}


def test_runs_do_not_see_each_other(game_course: Path) -> None:
    source = (
        "import random\nprint(input(), random.random() if not hasattr(random, 'seen') else 'seen')\nrandom.seen = 1\n"
    )
    found = explored(game_course, source, events={"seen": "True"})
    assert not any(names(one, GoalKind.EVENT) for one in found.reached)


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("input(); 1 / 0", "its exit status is 1, that of the test 0"),
        ("input(); raise SystemExit('done')", "its exit status is 1, that of the test 0"),
        ("import sys; input(); sys.exit(3)", "its exit status is 3, that of the test 0"),
        (
            "while True:\n    try:\n        input()\n    except EOFError:\n        pass",
            "it asks for more input than there is",
        ),
        ("import os; os._exit(7)", "it was ended (7)"),
        (
            "import os\nfor _ in range(1 + (os.environ['REFERENCE_VARIANT'] == 'wordy')): input()",
            "its variants do not read as many lines",
        ),
    ],
)
def test_what_cannot_be_a_test(game_course: Path, source: str, fault: str) -> None:
    found = explored(game_course, source)
    assert {one.fault for one in found.reached} == {fault}
    assert not any(one.goals for one in found.reached)


def test_variants_may_read_fewer_lines_where_the_test_says_so(game_course: Path) -> None:
    file = game_course / "test_specs" / "game" / "tests" / "games.yaml"
    file.write_text(file.read_text().replace("input: [0, y]", "input: [0, y], may_leave_input: true"))
    source = "import os\nfor _ in range(1 + (os.environ['REFERENCE_VARIANT'] == 'wordy')): input()"
    assert {(one.fault, one.read) for one in explored(game_course, source).reached} == {(None, 2)}


def test_an_endless_loop_ends(game_course: Path) -> None:
    file = game_course / "test_specs" / "game" / "assignment.yaml"
    file.write_text(file.read_text().replace("wall_seconds: 20", "wall_seconds: 0.2"))
    found = explored(game_course, "input()\nwhile True: pass", values=("1",))
    assert [one.fault for one in found.reached] == ["it takes too long"]


def test_a_reference_that_is_no_program_or_is_missing(game_course: Path) -> None:
    with pytest.raises(BranchRunError, match=r"game.py cannot be run: .*"):
        explored(game_course, "def (")
    (game_course / "reference" / "game.py").unlink()
    with pytest.raises(BranchRunError, match=r"game.py is missing"):
        explored(game_course)
