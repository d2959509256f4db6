"""Files that may lie beside the programs of a submission, and files that are not used."""

from pathlib import Path

import pytest

from grader.intake.further_files import fits_pattern, is_leftover, unused_words
from grader.intake.match_files import FileRequirements, FoundFile, MatchedFiles, match_files
from grader.model.assignment import SubmissionPolicy

PATTERNS = ("*.py", "data/*", "geo/*.py")


def matched(
    folder: Path, *names: str, further: tuple[str, ...] = PATTERNS, policy: SubmissionPolicy | None = None
) -> MatchedFiles:
    found = []
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x = 1\n")
        found.append(FoundFile(name, folder / name))
    sought = FileRequirements(
        programs={"game.py": ("game.py", "game.c")},
        provided=("cards.py",),
        policy=policy or SubmissionPolicy(),
        further=further,
    )
    return match_files(found, sought)


def taken(result: MatchedFiles) -> list[str]:
    return [file.name for file in result.files]


@pytest.mark.parametrize(
    ("names", "files", "unused"),
    [
        (["game.py", "shapes.py"], ["game.py", "shapes.py"], ()),
        (["game.py", "data/words.txt", "data/more/words.txt"], ["game.py", "data/words.txt"], ("data/more/words.txt",)),
        (["game.py", "geo/__init__.py", "geo/shapes.py"], ["game.py", "geo/__init__.py", "geo/shapes.py"], ()),
        (["proj/game.py", "proj/geo/a.py", "b.py"], ["game.py", "geo/a.py"], ("b.py",)),
        (["game.py", "notes.txt", "README.md", ".idea/x.py", "submission.yaml"], ["game.py"], ("notes.txt",)),
        (["notes.txt", "more.txt"], [], ("notes.txt", "more.txt")),
        (["shapes.py"], [], ()),
    ],
)
def test_further_files_keep_their_place_beside_the_program(
    names: list[str], files: list[str], unused: tuple[str, ...], tmp_path: Path
) -> None:
    result = matched(tmp_path, *names)
    assert (taken(result), result.unused) == (files, unused)


def test_without_patterns_every_other_file_is_unused(tmp_path: Path) -> None:
    result = matched(tmp_path, "game.py", "shapes.py", "data/words.txt", further=())
    assert (taken(result), result.unused) == (["game.py"], ("shapes.py", "data/words.txt"))


@pytest.mark.parametrize("name", ["cards/__init__.py", "cards.cpython-311-x86_64-linux-gnu.so"])
def test_nothing_stands_in_place_of_a_provided_module(name: str, tmp_path: Path) -> None:
    result = matched(tmp_path, "game.py", name, "cards/faces.txt", "geo/__init__.py", further=("*", "*/*"))
    assert taken(result) == ["game.py", "cards/faces.txt", "geo/__init__.py"]
    assert result.notes == (f"{name} is not taken: Python would import it in place of cards.py, which is provided",)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("words.csv/a.txt", "words.csv is a file beside the program, so no folder can be called so"),
        ("cards.py/a.txt", "cards.py is a file beside the program, so no folder can be called so"),
        ("game.py/a.txt", "game.py is a file beside the program, so no folder can be called so"),
        ("data/more.csv/a/b.txt", "data/more.csv is a file beside the program, so no folder can be called so"),
        ("data", "data is a folder beside the program, so no file can be called so"),
    ],
)
def test_no_file_is_taken_where_one_of_the_course_could_not_be(name: str, reason: str, tmp_path: Path) -> None:
    found = [FoundFile(there, tmp_path / there.replace("/", "-")) for there in ("game.py", name, "words.txt")]
    for file in found:
        file.path.write_text("x = 1\n")
    result = match_files(
        found,
        FileRequirements(
            programs={"game.py": ("game.py",)},
            provided=("cards.py",),
            further=("*", "*/*", "*/*/*/*"),
            of_tests=frozenset({"words.csv", "data/more.csv"}),
        ),
    )
    assert (taken(result), result.unused) == (["game.py", "words.txt"], ())
    assert result.notes == (f"{name} is not taken: {reason}",)


def test_of_a_file_and_a_folder_with_one_name_the_first_is_taken(tmp_path: Path) -> None:
    source = tmp_path / "a.py"
    source.write_text("x = 1\n")
    found = [FoundFile(name, source) for name in ("a.py", "one/b.py", "one/data", "data/words.txt")]
    sought = FileRequirements(programs={"a.py": ("a.py",), "b.py": ("b.py",)}, further=("data", "data/*"))
    result = match_files(found, sought)
    assert taken(result) == ["a.py", "b.py", "data"]
    why = "data is a file beside the program, so no folder can be called so"
    assert f"data/words.txt is not taken: {why}" in result.notes


def test_what_a_note_explains_already_is_not_unused(tmp_path: Path) -> None:
    result = matched(tmp_path, "game.py", "game.c", "cards.py", "old/game.py", further=("*.py", "*.c"))
    assert (taken(result), result.unused) == (["game.py"], ())
    assert result.notes == (
        "game.c is passed over: game.py is there",
        "cards.py is passed over: the one that is provided is used",
        "old/game.py is passed over: game.py is there",
    )


def test_further_files_may_be_no_larger_than_programs_and_together_than_a_submission(tmp_path: Path) -> None:
    result = matched(tmp_path, "game.py", "a.py", policy=SubmissionPolicy(file_bytes=5))
    assert taken(result) == []
    result = matched(tmp_path, "game.py", "a.py", "b.py", policy=SubmissionPolicy(total_bytes=7))
    assert (taken(result), result.notes) == (
        ["game.py", "a.py"],
        ("b.py is not taken: all files together may have 7 bytes",),
    )


def test_a_file_in_an_opened_archive_stands_for_the_archive(tmp_path: Path) -> None:
    found = []
    for name in ("all.zip", "all.zip/game.py", "other.zip"):
        file = tmp_path / name.replace("/", "-")
        file.write_text("x = 1\n")
        found.append(FoundFile(name, file))
    assert match_files(found, FileRequirements(programs={"game.py": ("game.py",)})).unused == ("other.zip",)


def test_a_star_stands_for_no_folder() -> None:
    assert fits_pattern("a.py", ["*.py"])
    assert fits_pattern("data/a.py", ["data/*"])
    assert not fits_pattern("data/a.py", ["*.py", "*", "*/b.py"])


def test_what_lies_about_in_any_folder() -> None:
    about = ["__MACOSX/x.py", "a/.DS_Store", "__pycache__/a.pyc", ".git/config", "README", "readme.txt", "._a.py"]
    assert [name for name in about if not is_leftover(name)] == []
    assert not is_leftover("geo/__init__.py")


def test_few_unused_files_are_named_and_many_are_counted() -> None:
    assert unused_words(["a"]) == "a is not used: it is not one of the files to hand in"
    assert unused_words(["a", "b"]) == "a and b are not used: they are not among the files to hand in"
    assert unused_words(list("abcdefg")).startswith("a, b, c, d and 3 more are not used")
