"""Provided modules in assignment files, and what tests tell them."""

from pathlib import Path

import pytest

from grader.model.assignment import Assignment
from grader.model.program import ProvidedModule, ProvidedSettings
from tests.spec.spec_folder import ASSIGNMENT, TESTS, load, problems_of, write_assignment

PROVIDED = ASSIGNMENT.replace("parts:", "provided:\n  - file: cards.py\neditions: [lab, small]\nparts:")


def written(parent: Path, assignment: str, tests: str = TESTS) -> Path:
    """Write the folder with cards.py in the references."""
    (parent / "reference").mkdir()
    (parent / "reference" / "cards.py").write_text("")
    return write_assignment(parent, assignment, play=tests)


def loaded(parent: Path, assignment: str, tests: str = TESTS) -> Assignment:
    return load(written(parent, assignment, tests))


def test_provided_modules_come_from_the_references(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    source = tmp_path / "reference" / "cards.py"
    assignment = loaded(tmp_path, PROVIDED.replace("file: cards.py", "{file: deck.py, source: cards.py}"))
    assert assignment.provided == (ProvidedModule("deck.py", source),)
    assert assignment.provided_files == ((source, "deck.py"),)
    assert loaded(tmp_path / "other", PROVIDED).provided_files[0][1] == "cards.py"


def test_the_first_edition_is_the_usual_one(tmp_path: Path) -> None:
    tests = TESTS + "  - {id: two, input: [], points: 0, edition: small, deck: 3♠ 8♠, random_seed: -7}\n"
    one, two = loaded(tmp_path, PROVIDED, tests).tests
    assert one.provision == ProvidedSettings("lab", None, None)
    assert two.provision == ProvidedSettings("small", "3♠ 8♠", -7)


def test_the_environment_tells_what_is_stated() -> None:
    assert ProvidedSettings().environment == {}
    assert ProvidedSettings("lab", "", 0).environment == {
        "PROVIDED_EDITION": "lab",
        "PROVIDED_DECK": "",
        "PROVIDED_RANDOM_SEED": "0",
    }


def test_without_provided_modules_nothing_is_told(tmp_path: Path) -> None:
    assignment = load(write_assignment(tmp_path))
    assert assignment.provided_files == ()
    assert assignment.tests[0].provision == ProvidedSettings()


@pytest.mark.parametrize(
    ("was", "now", "message"),
    [
        (
            "cards.py",
            "game.py\n    source: cards.py",
            "7:11: `game.py` is a program to hand in; expected a file that is",
        ),
        ("cards.py", "cards.py\n  - file: cards.py", "8:11: `cards.py` is given twice"),
        ("cards.py", "deck.py", "7:5: there is no file deck.py in "),
        ("cards.py", "cards.py\n    source: deck.py", "8:13: there is no file deck.py in "),
        ("cards.py", "cards.py\n    source: ../cards.py", "8:13: found `../cards.py`; expected a file name"),
        ("\n  - file: cards.py", " []", "7:1: found editions, but no `provided` module that could have them"),
        ("[lab, small]", "[lab, lab]", "8:11: `lab` is given twice"),
    ],
)
def test_a_slip_in_the_assignment_file(was: str, now: str, message: str, tmp_path: Path) -> None:
    said = problems_of(written(tmp_path, PROVIDED.replace(was, now, 1)))
    assert said.startswith(f"assignment.yaml:{message}")
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("edition: smal", "6:36: there is no edition `smal` in assignment.yaml; did you mean `small`?"),
        ("edition: A", "6:36: found `A`; expected lowercase letters, digits and single hyphens"),
        ("random_seed: five", "6:40: found `five`; expected a whole number"),
        ('deck: "a\\nb"', "6:33: found `a\\nb`; expected a single line without a line break"),
    ],
)
def test_a_slip_in_a_tests_file(given: str, message: str, tmp_path: Path) -> None:
    said = problems_of(written(tmp_path, PROVIDED, TESTS.replace("[1]", f"[1], {given}")))
    assert said == f"tests/play.yaml:{message}"


@pytest.mark.parametrize("key", ["edition: lab", "deck: 3♠", "random_seed: 5"])
def test_what_only_provided_modules_understand(key: str, tmp_path: Path) -> None:
    name = key.partition(":")[0]
    said = problems_of(written(tmp_path, ASSIGNMENT, TESTS.replace("[1]", f"[1], {key}")))
    column = 27 + len(name) + 2  # of the value
    assert said == f"tests/play.yaml:6:{column}: `{name}` is for `provided` modules, and assignment.yaml names none"
