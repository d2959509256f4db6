"""A text is found in the files of a class."""

from pathlib import Path

from grader.model.submission import Submission, SubmittedFile, TimeSource
from grader.plugins.web.serve.source_search import SearchFound, search_files


def submission(folder: Path, student: str, **files: bytes) -> Submission:
    (folder / student).mkdir()
    submitted = []
    for name, content in files.items():
        (folder / student / name).write_bytes(content)
        submitted.append(SubmittedFile(f"{name}.py", folder / student / name))
    return Submission(student=student, files=tuple(submitted), submitted=None, time_source=TimeSource.NONE, notes=())


def places(found: SearchFound) -> list[tuple[str, str, int]]:
    return [(one.student, one.place.file, one.place.line) for one in found.lines]


def test_lines_are_found_in_all_files_in_capitals_or_not(tmp_path: Path) -> None:
    ann = submission(tmp_path, "ann", game=b"import random\r\nrandom.SEED(1)\n", deck=b"# Seed\n")
    bob = submission(tmp_path, "bob", game="\ufeffseed\nSTRASSE\n".encode())
    found = search_files((ann, bob), "seed", 10)
    assert places(found) == [("ann", "game.py", 2), ("ann", "deck.py", 1), ("bob", "game.py", 1)]
    assert (found.count, found.students) == (3, 2)
    assert found.lines[0].code == "random.SEED(1)"
    assert places(search_files((ann, bob), "straße", 10)) == [("bob", "game.py", 2)]


def test_only_so_many_are_given_and_all_are_counted(tmp_path: Path) -> None:
    ann = submission(tmp_path, "ann", game=b"x\n" * 50)
    found = search_files((ann,), "x", 3)
    assert (len(found.lines), found.count, found.students) == (3, 50, 1)


def test_what_is_no_text_or_gone_is_passed_over(tmp_path: Path) -> None:
    ann = submission(tmp_path, "ann", game=b"x\0", large=b"x\n" * 300_000, gone=b"x\n", latin=b"\xff x\n")
    (tmp_path / "ann" / "gone").unlink()
    assert places(search_files((ann,), "x", 3)) == [("ann", "latin.py", 1)]
