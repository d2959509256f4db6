"""`grader seeds` as an instructor uses it."""

from functools import partial
from pathlib import Path

import pytest

from grader.cli.main import app
from grader.errors import GraderError
from tests.conftest import Grader
from tests.prepared_grader import PreparedGrader


@pytest.fixture
def grader(prepared: PreparedGrader, game_course: Path) -> Grader:
    """Runs the command line in the course folder."""
    return partial(prepared.run, folder=game_course)


@pytest.mark.slow
def test_tests_are_found_written_and_generated(grader: Grader, game_course: Path) -> None:
    tests = game_course / "test_specs" / "game" / "tests"
    printed = grader("seeds", "game", "--dry-run")
    assert printed.returncode == 0, printed.stderr
    assert not (tests / "found.yaml").exists()
    run = grader("seeds", "game", "--jobs", "1")
    assert run.returncode == 0, run.stderr
    assert "3 of 23 values reach what all of them reach: 3 of 3 events, 3 of 3 lengths, 8 of 8 branches." in run.stdout
    text = (tests / "found.yaml").read_text()
    assert text in printed.stdout + "\n"
    assert grader("generate", "game").returncode == 0
    assert "fresh" in grader("generate", "--check", "game").stdout
    again = grader("seeds", "game")
    assert again.returncode == 0
    assert "Every test is there already." in again.stdout
    assert (tests / "found.yaml").read_text() == text


@pytest.mark.slow
def test_what_is_named_and_never_reached_is_said(grader: Grader, game_course: Path) -> None:
    file = game_course / "test_specs" / "game" / "seeds.yaml"
    file.write_text(file.read_text().replace("[-5..17]", "[0..3]").replace("^nobody", "^somebody"))
    run = grader("seeds", "game", "--dry-run")
    assert run.returncode == 1
    assert "never reached: nobody wins" in run.stdout
    assert "branches of game.py never taken: line 19 to 20" in run.stdout


@pytest.mark.slow
def test_no_value_makes_a_test(grader: Grader, game_course: Path) -> None:
    (game_course / "reference" / "game.py").write_text("raise SystemExit(4)\n")
    run = grader("seeds", "game")
    assert run.returncode == 2
    assert "No value of the search `found` makes a test: its exit status is 4" in run.stderr


def test_without_coverage_the_extra_is_named(game_course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.plugins.searching.seeds.explore.find_spec", lambda _: None)
    monkeypatch.chdir(game_course)
    with pytest.raises(GraderError, match=r"install it with: .*\[seeds\]"):
        app(["seeds", "game"], standalone_mode=False)
