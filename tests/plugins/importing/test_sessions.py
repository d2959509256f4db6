"""`grader import session`: a printed sample is followed with the reference, and becomes a test."""

from pathlib import Path
from typing import Any

import pytest

from grader.errors import GraderError
from grader.plugins.importing.api import import_session
from tests.plugins.importing.packages import verdicts, write, written
from tests.sandbox import needs_sandbox

GUESS = """\
from words import GREETING

name = input("Your name: ")
print(f"{GREETING}, {name}!")
print()
while True:
    number = int(input("A number: "))
    if number == 7:
        print("Right.")
        break
    print("Too small." if number < 7 else "Too large.")
"""
SAMPLE = """\
Your name: Ada Lovelace
Hello, Ada Lovelace!

A number: 3
Too small.
A number: 9
Too large.
A number: 7
Right.
"""
HANDOUT = f"This is how it looks:\n\n{SAMPLE}\nAnd so on.\n"


def imported(sample: str, folder: Path, *lines: str) -> tuple[dict[str, Any], list[str], Any]:
    """The test that is made of a sample, the notes about the sample, and what was made."""
    write(folder, {"handout.txt": sample, "guess.py": GUESS, "words.py": 'GREETING = "Hello"\n'})
    solution = folder / "guess.py"
    made = import_session(folder / "handout.txt", solution=solution, lines=lines, into=folder / "course", name="guess")
    (test,) = written(made, "tests/tests.yaml")["tests"]
    notes = [
        note.removeprefix("handout.txt: ") for note in made.notes if "typed line" not in note and "due" not in note
    ]
    return test, notes, made


@pytest.mark.slow
@needs_sandbox
def test_what_was_typed_is_found(tmp_path: Path) -> None:
    test, notes, made = imported(HANDOUT, tmp_path, "3-11")
    assert test["input"] == ["Ada Lovelace", "3", "9", "7"]
    assert test["sample"] == "sample.txt"
    assert not notes
    assert verdicts(made) == {"accepted-solution": ["passed"]}


@pytest.mark.parametrize(
    ("old", "new", "ignored"),
    [
        ("Your name: Ada", "Your name: Ada", []),
        ("Too small.", "Too small.   ", ["trailing-whitespace"]),
        ("Too small.\n", "Too small.\n\n", ["trailing-whitespace", "blank-lines"]),
        ("Lovelace!\n\n", "Lovelace!\n", ["trailing-whitespace", "blank-lines"]),
        ("Too small.", "Too  small.", ["trailing-whitespace", "blank-lines", "space-change"]),
    ],
)
def test_blanks_that_a_handout_lost_are_ignored(old: str, new: str, ignored: list[str], tmp_path: Path) -> None:
    test, notes, _ = imported(SAMPLE.replace(old, new), tmp_path)
    assert test["input"] == ["Ada Lovelace", "3", "9", "7"]
    assert not notes
    assert test["sample"] == ({"file": "sample.txt", "ignore": ignored} if ignored else "sample.txt")


def test_other_differences_are_told_with_their_line(tmp_path: Path) -> None:
    test, notes, _ = imported(HANDOUT.replace("Too small.", "Too low.").replace("Right.\n", ""), tmp_path, "3-10")
    assert test["input"] == ["Ada Lovelace", "3", "9", "7"]
    assert notes == [
        "line 7: the sample has 'Too low.', the program prints 'Too small.'.",
        "line 11: the sample has 'nothing', the program prints 'Right.'.",
    ]
    assert "sample" not in test


def test_a_sample_that_ends_at_a_prompt(tmp_path: Path) -> None:
    test, notes, _ = imported(SAMPLE.partition("9")[0], tmp_path)
    assert (test["input"], test["asks_again"], notes) == (["Ada Lovelace", "3"], "true", [])


def test_a_sample_that_cannot_be_followed(tmp_path: Path) -> None:
    test, notes, _ = imported(SAMPLE.replace("A number:", "Next:"), tmp_path)
    assert test["input"] == ["Ada Lovelace"]
    assert notes[-1] == "from line 4 on, it was not followed: the program asks 'A number: '."


@pytest.mark.parametrize("lines", ["3", "0-4", "5-3", "3-99", "a-b"])
def test_lines_that_are_not_there(lines: str, tmp_path: Path) -> None:
    with pytest.raises(GraderError, match="is no range of lines"):
        imported(HANDOUT, tmp_path, lines)


def test_a_folder_is_no_sample(tmp_path: Path) -> None:
    with pytest.raises(GraderError, match="must be files"):
        import_session(tmp_path, solution=tmp_path)
