"""Which file is which program: by its name, wherever it lies; other names only if the policy says so."""

import os
import socket
import stat
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from grader.intake.match_files import FileRequirements, FoundFile, MatchedFiles, files_in, match_files
from grader.intake.source_note import source_note
from grader.model.assignment import FileNamePolicy, SubmissionPolicy
from grader.model.submission import SubmittedFile
from grader.reports.student_notes import grouped_notes
from tests.reports.graded_example import CLASS


def matched(
    folder: Path, *names: str, policy: SubmissionPolicy | None = None, content: bytes | None = None
) -> MatchedFiles:
    found = []
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(f"# {name}\n".encode() if content is None else content)
        found.append(FoundFile(name, folder / name))
    return match_files(
        found,
        FileRequirements(
            programs={"game.py": ("game.py",)}, provided=("cards.py",), policy=policy or SubmissionPolicy()
        ),
    )


def taken(result: MatchedFiles, folder: Path) -> list[str]:
    assert all(file.name == "game.py" for file in result.files)
    return [str(file.path.relative_to(folder)) for file in result.files]


NAMES = [
    (["game.py", "notes.txt", "x/game.py"], "game.py", ("x/game.py is passed over: game.py is there",)),
    (["x/game.py"], "x/game.py", ("game.py is taken from a folder: x/game.py",)),
    (
        ["x/game.py", "x/y/game.py"],
        "x/game.py",
        ("game.py is taken from a folder: x/game.py", "x/y/game.py is passed over: x/game.py is there"),
    ),
    (
        ["x/game.py", "y/game.py"],
        None,
        ("game.py is in more than one folder, and none is taken: `x/game.py`, `y/game.py`",),
    ),
    (["Game.PY"], None, ("game.py is missing; there is `Game.PY`",)),
    (["x/gaem.py"], None, ("game.py is missing; there is `x/gaem.py`",)),
    (["game.txt"], None, ("game.py is missing",)),
    (["aces_high.py"], None, ("game.py is missing; there is `aces_high.py`",)),
    (["game.py.txt"], None, ("game.py is missing; there is `game.py.txt`",)),
    (["game.pyw"], None, ("game.py is missing; there is `game.pyw`",)),
    (["game.py "], None, ("game.py is missing; there is `game.py `",)),
    (["aces.py", "high.py"], None, ("game.py is missing",)),
    (["cards.py"], None, ("game.py is missing", "cards.py is passed over: the one that is provided is used")),
    (
        ["My game.ipynb"],
        None,
        ("game.py is missing; there is the notebook `My game.ipynb`, whose code must be saved as a Python program",),
    ),
    (["game.py", "cards.py"], "game.py", ("cards.py is passed over: the one that is provided is used",)),
]


@pytest.mark.parametrize(("names", "expected", "notes"), NAMES, ids=[" ".join(one[0]) for one in NAMES])
def test_names(names: list[str], expected: str | None, notes: tuple[str, ...], tmp_path: Path) -> None:
    result = matched(tmp_path, *names)
    assert (taken(result, tmp_path), result.notes) == ([expected] if expected else [], notes)


OTHER_NAMES = [
    (["Game.PY"], FileNamePolicy.IGNORE_CASE, "Game.PY"),
    (["x/GAME.py"], FileNamePolicy.IGNORE_CASE, "x/GAME.py"),
    (["Game.py", "GAME.py"], FileNamePolicy.IGNORE_CASE, None),
    (["gaem.py"], FileNamePolicy.IGNORE_CASE, None),
    (["gaem.py"], FileNamePolicy.CLOSEST_MATCH, "gaem.py"),
    (["Game.py", "gaem.py"], FileNamePolicy.CLOSEST_MATCH, "Game.py"),
    (["game (1).py"], FileNamePolicy.CLOSEST_MATCH, "game (1).py"),
    (["game(12).py"], FileNamePolicy.CLOSEST_MATCH, "game(12).py"),
    (["game (1).py", "game (2).py"], FileNamePolicy.CLOSEST_MATCH, None),
    (["game_final.py", "game_old.py"], FileNamePolicy.CLOSEST_MATCH, "game_final.py"),
    (["game_old.py"], FileNamePolicy.CLOSEST_MATCH, "game_old.py"),
    (["solution.py"], FileNamePolicy.CLOSEST_MATCH, None),
    (["z1234_game.py"], FileNamePolicy.CLOSEST_MATCH, "z1234_game.py"),
    (["game-v2-fixed.py"], FileNamePolicy.CLOSEST_MATCH, "game-v2-fixed.py"),
    (["z1234_game_old.py", "z1234_game.py"], FileNamePolicy.CLOSEST_MATCH, "z1234_game.py"),
    (["z1234_game.py", "game-v2-fixed.py"], FileNamePolicy.CLOSEST_MATCH, None),
    (["z1234_endgame.py"], FileNamePolicy.CLOSEST_MATCH, None),
    (["z1234_test_game.py"], FileNamePolicy.CLOSEST_MATCH, None),
    (["game.py.txt"], FileNamePolicy.CLOSEST_MATCH, "game.py.txt"),
    (["Game.PY.TXT"], FileNamePolicy.CLOSEST_MATCH, "Game.PY.TXT"),
    (["game (1).py.txt"], FileNamePolicy.CLOSEST_MATCH, "game (1).py.txt"),
    (["game.py (1)"], FileNamePolicy.CLOSEST_MATCH, "game.py (1)"),
    (["game.pyw"], FileNamePolicy.CLOSEST_MATCH, "game.pyw"),
    (["game.py "], FileNamePolicy.CLOSEST_MATCH, "game.py "),
    ([" game.py"], FileNamePolicy.CLOSEST_MATCH, " game.py"),
    (["game .py"], FileNamePolicy.CLOSEST_MATCH, "game .py"),
    (["game.txt"], FileNamePolicy.CLOSEST_MATCH, None),
    (["game.py.txt"], FileNamePolicy.IGNORE_CASE, None),
    (["game.py", "Game.py"], FileNamePolicy.CLOSEST_MATCH, "game.py"),
]


@pytest.mark.parametrize(("names", "policy", "expected"), OTHER_NAMES)
def test_other_names_if_the_policy_takes_them(
    names: list[str], policy: FileNamePolicy, expected: str | None, tmp_path: Path
) -> None:
    result = matched(tmp_path, *names, policy=SubmissionPolicy(names=policy))
    assert taken(result, tmp_path) == ([expected] if expected else [])
    if expected and expected != "game.py":
        assert result.notes == (f"game.py: `{expected}` is taken for it",)


@pytest.mark.parametrize(
    ("names", "policy"),
    [
        (["Game.py", "x/GAME.py"], FileNamePolicy.IGNORE_CASE),
        (["game-1.py", "game-2.py"], FileNamePolicy.CLOSEST_MATCH),
        (["game (1).py", "game (2).py"], FileNamePolicy.CLOSEST_MATCH),
    ],
)
def test_several_names_that_the_policy_would_take_are_named(
    names: list[str], policy: FileNamePolicy, tmp_path: Path
) -> None:
    result = matched(tmp_path, *names, policy=SubmissionPolicy(names=policy))
    said = f"`{names[0]}` and `{names[1]}` could each be game.py, and none is taken"
    assert (result.files, result.notes, result.unused, result.refused) == ((), (said,), (), {"game.py": said})


def test_why_a_program_that_is_there_is_not_taken(tmp_path: Path) -> None:
    said = "game.py is in more than one folder, and none is taken: `x/game.py`, `y/game.py`"
    assert matched(tmp_path, "x/game.py", "y/game.py").refused == {"game.py": said}
    assert matched(tmp_path, "gaem.py").refused == {"game.py": "game.py is missing; there is `gaem.py`"}
    assert matched(tmp_path, "notes.txt").refused == {}


def test_copies_of_a_program_are_one_program(tmp_path: Path) -> None:
    result = matched(tmp_path, "a/game.py", "b/game.py", "c/d/game.py", content=b"print()\n")
    assert taken(result, tmp_path) == ["a/game.py"]
    assert result.notes == (
        "game.py is in more than one folder, and the same in all: `a/game.py`, `b/game.py`",
        "c/d/game.py is passed over: a/game.py is there",
    )


COMPOSED, APART = "caf\u00e9", "cafe\u0301"


def matched_disk(folder: Path, contents: Mapping[str, bytes]) -> MatchedFiles:
    for name, content in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    program = f"{COMPOSED}.py"
    sought = FileRequirements(programs={program: (program,)}, further=("*.txt", "data/*"))
    return match_files(files_in(folder, 100), sought)


@pytest.mark.parametrize("folder", ["", "src/"])
@pytest.mark.parametrize(("second", "outcome"), [(b"2", "none is taken"), (b"1", "the same in all")])
def test_names_that_look_the_same_do_not_hide_a_file(folder: str, second: bytes, outcome: str, tmp_path: Path) -> None:
    result = matched_disk(tmp_path, {f"{folder}{COMPOSED}.py": b"1", f"{folder}{APART}.py": second, "old/x.py": b""})
    said = f"{COMPOSED}.py is there 2 times, in names whose accents are encoded differently, and {outcome}"
    assert result.notes[0] == said
    assert [file.name for file in result.files] == ([] if second == b"2" else [f"{COMPOSED}.py"])
    assert result.refused == ({f"{COMPOSED}.py": said} if second == b"2" else {})


def test_no_older_file_is_taken_for_two_that_look_the_same(tmp_path: Path) -> None:
    result = matched_disk(tmp_path, {f"{COMPOSED}.py": b"1", f"{APART}.py": b"2", f"old/{COMPOSED}.py": b"3"})
    assert result.files == ()


def test_further_files_that_look_the_same_are_noted(tmp_path: Path) -> None:
    contents = {f"{COMPOSED}.py": b"0", f"{COMPOSED}.txt": b"1", f"{APART}.txt": b"2", "n.txt": b"3", "N.txt": b"4"}
    result = matched_disk(tmp_path, contents)
    assert sorted(file.name for file in result.files) == ["N.txt", f"{COMPOSED}.py", f"{COMPOSED}.txt", "n.txt"]
    assert len(result.notes) == 1
    assert unicodedata.normalize("NFC", result.notes[0]) == f"{COMPOSED}.txt is passed over: {COMPOSED}.txt is there"
    assert result.unused == ()


@pytest.mark.parametrize("kind", ["pipe", "socket", "link", "link to nowhere", "link to a folder", "device"])
@pytest.mark.parametrize("name", ["n.txt", "data/n", "n.bin"])
def test_a_further_file_that_is_no_regular_file_is_noted(
    kind: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    match kind:
        case "pipe":
            os.mkfifo(file)
        case "socket":
            with socket.socket(socket.AF_UNIX) as listener:
                listener.bind(name)
        case "device":
            if os.geteuid():
                pytest.skip("only root makes devices")
            os.mknod(file, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        case _:
            targets = {"link": "/etc/hostname", "link to nowhere": "none", "link to a folder": "/etc"}
            file.symlink_to(targets[kind])
    result = matched_disk(tmp_path, {f"{COMPOSED}.py": b"0"})
    assert [file.name for file in result.files] == [f"{COMPOSED}.py"]
    said = f"{name} is not taken: it is a link or something else that is not a regular file"
    assert (result.notes, result.unused) == (((), ("n.bin",)) if name == "n.bin" else ((said,), ()))


def test_a_program_that_is_too_large_is_not_taken(tmp_path: Path) -> None:
    policy = SubmissionPolicy(file_bytes=1000)
    assert len(matched(tmp_path, "game.py", policy=policy, content=b"#" * 1000).files) == 1
    result = matched(tmp_path, "game.py", policy=policy, content=b"#" * 1001)
    assert (result.files, result.notes) == ((), ("game.py is not taken: it has 1 kB; at most 1 kB are taken",))


@pytest.mark.parametrize(
    ("content", "note"),
    [
        (b"print()\n", None),
        (b"", "game.py is empty; was the right file handed in?"),
        (b" \n\n", "game.py is empty; was the right file handed in?"),
        (b"\xef\xbb\xbfprint()\n", "game.py begins with a byte order mark; it is run as it is"),
        (b"print()\r\n", "game.py has the line ends of Windows; it is run as it is"),
        (
            b"\xef\xbb\xbfprint()\r\n",
            "game.py begins with a byte order mark and has the line ends of Windows; it is run as it is",
        ),
        *(
            (content, f"game.py is {kind}, and not the text of a program; it is run as it is")
            for content, kind in (
                (b'{\n "cells": [],\n "nbformat": 4}\n', "a Jupyter notebook"),
                (b'{"metadata":{},"cells":[]}', "a Jupyter notebook"),
                (b"PK\x03\x04\x14", "a zip archive or a document of a word processor"),
                (b"%PDF-1.4\n", "a PDF document"),
                (b"{\\rtf1\\ansi print(1)}", "a document in RTF"),
                (b"<!DOCTYPE html>\n", "a web page"),
            )
        ),
        (b'{"cell": 1}\n', None),
        (
            "\ufeffprint()\n".encode("utf-16-le"),
            "game.py is UTF-16, which Python cannot read; it must be saved as UTF-8",
        ),
    ],
)
def test_marks_of_editors_are_noted(content: bytes, note: str | None, tmp_path: Path) -> None:
    result = matched(tmp_path, "game.py", content=content)
    assert (len(result.files), result.notes) == (1, (note,) if note else ())


def test_the_mark_of_a_java_file_is_not_built(tmp_path: Path) -> None:
    (tmp_path / "Game.java").write_bytes(b"\xef\xbb\xbfclass Game {}")
    note = source_note(SubmittedFile("Game.java", tmp_path / "Game.java"))
    assert note == "Game.java begins with a byte order mark; it is built without the mark"


PROGRAM_NAMES = ("solitaire_1.py", "solitaire_2.py")


def two_programs(folder: Path, *names: str, policy: FileNamePolicy) -> MatchedFiles:
    found = [FoundFile(name, folder / name) for name in names]
    for file in found:
        file.path.write_text("print()\n")
    programs = {name: (name,) for name in PROGRAM_NAMES}
    return match_files(found, FileRequirements(programs=programs, policy=SubmissionPolicy(names=policy)))


def test_numbers_in_names_tell_programs_apart(tmp_path: Path) -> None:
    names = ("solitaire1.py", "Solitaire 2.py")
    assert two_programs(tmp_path, *names, policy=FileNamePolicy.EXACT).notes == (
        "solitaire_1.py is missing; there is `solitaire1.py`",
        "solitaire_2.py is missing; there is `Solitaire 2.py`",
    )
    closest = two_programs(tmp_path, *names, policy=FileNamePolicy.CLOSEST_MATCH).files
    assert {file.name: file.path.name for file in closest} == dict(zip(PROGRAM_NAMES, names, strict=True))


@pytest.mark.parametrize("place", ["", "old/"])
def test_a_name_like_that_of_a_program_that_is_there_is_no_hint_for_another(tmp_path: Path, place: str) -> None:
    (tmp_path / "old").mkdir()
    matched = two_programs(tmp_path, f"{place}solitaire_1.py", "solitare_1.py", policy=FileNamePolicy.EXACT)
    assert matched.notes[-1] == "solitaire_2.py is missing"
    assert matched.unused == ("solitare_1.py",)


@pytest.mark.parametrize("name", ["gameone.py", "game_one (1).py", "Game One.py"])
def test_a_file_is_taken_for_the_program_of_the_most_similar_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("print()\n")
    programs = {"game_one.py": ("game_one.py",), "game_two.py": ("game_two.py",)}
    policy = SubmissionPolicy(names=FileNamePolicy.CLOSEST_MATCH)
    for order in (programs, dict(reversed(programs.items()))):
        matched = match_files([FoundFile(name, tmp_path / name)], FileRequirements(programs=order, policy=policy))
        assert [file.name for file in matched.files] == ["game_one.py"]
        assert {*matched.notes} == {f"game_one.py: `{name}` is taken for it", "game_two.py is missing"}


def test_a_file_that_could_as_well_be_another_program_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "game.py").write_text("print()\n")
    programs = {"game_one.py": ("game_one.py",), "game_two.py": ("game_two.py",)}
    policy = SubmissionPolicy(names=FileNamePolicy.CLOSEST_MATCH)
    sought = FileRequirements(programs=programs, policy=policy)
    matched = match_files([FoundFile("game.py", tmp_path / "game.py")], sought)
    assert matched.files == ()
    assert matched.notes == tuple(f"{program} is missing; there is `game.py`" for program in programs)


@pytest.mark.parametrize(
    ("policy", "program"),
    [
        (FileNamePolicy.EXACT, "import game_tools, helper, h"),
        (FileNamePolicy.EXACT, "__import__('game' + '_tools')"),
        (FileNamePolicy.CLOSEST_MATCH, "import game_tools, helper, h"),
    ],
)
@pytest.mark.parametrize("module", ["game_tools.py", "helper.py", "data/h.py"])
def test_a_module_is_not_taken_from_the_program_that_is_there(
    tmp_path: Path, policy: FileNamePolicy, program: str, module: str
) -> None:
    (tmp_path / "data").mkdir()
    files = [FoundFile(name, tmp_path / name) for name in ("game_one.py", module)]
    for file, text in zip(files, (program, "def move(): pass"), strict=True):
        file.path.write_text(f"{text}\n")
    programs = {"game_one.py": ("game_one.py",), "game_two.py": ("game_two.py",)}
    sought = FileRequirements(programs=programs, policy=SubmissionPolicy(names=policy), further=("*.py", "data/*"))
    matched = match_files(files, sought)
    assert [file.name for file in matched.files] == ["game_one.py", module]
    assert matched.unused == ()


def test_the_other_program_is_not_taken_for_one_that_is_missing(tmp_path: Path) -> None:
    found = two_programs(tmp_path, "solitaire1.py", policy=FileNamePolicy.CLOSEST_MATCH)
    assert [file.name for file in found.files] == ["solitaire_1.py"]


@pytest.mark.parametrize(
    ("names", "remedy"),
    [
        (["Game.py"], ", or set `submissions: {names: ignore-case}` in assignment.yaml"),
        (["gaem.py"], ", or set `submissions: {names: closest-match}` in assignment.yaml"),
        (["aces_high.py"], ""),
        (["game (1).py", "game (2).py"], ""),
    ],
)
def test_staff_are_told_how_to_accept_another_name(names: list[str], remedy: str, tmp_path: Path) -> None:
    [note] = matched(tmp_path, *names).notes[:1]
    row = CLASS.rows[0]
    submission = replace(row.graded.submission, student="ann", notes=(note,))
    graded = replace(CLASS, rows=(replace(row, graded=replace(row.graded, submission=submission, variants={})),))
    said = f"ann: game.py is missing; there is `{names[0]}` (to accept it, rename it in the submission{remedy})"
    assert list(grouped_notes(graded)) == [said]
