"""Digests differ when and only when what they stand for differs."""

import os
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from grader.files.digest import UntraceableError, digest, file_digest, folder_digest
from grader.model.program import Limits
from grader.run.workspace import remove_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "file").write_text("content")
    (tmp_path / "other").write_text("")
    return tmp_path


def test_values_that_differ_a_little() -> None:
    values = [None, "", "a", ["a"], [["a"]], "1", 1, Decimal("1"), Path("1"), Limits(), Limits(wall_seconds=29.0)]
    assert len({digest(value) for value in values}) == len(values)


def test_a_digest_is_the_same_in_every_version() -> None:
    assert digest(["é\udc80", 1.5]) == "711a60d6b193baf22df8be386f2521933dbdf3f1a722d5c43d7e71bbc6083f31"


def test_a_value_that_has_no_lasting_text() -> None:
    with pytest.raises(TypeError, match="a object has no digest"):
        digest([object()])


def test_small_and_large_files(tmp_path: Path) -> None:
    small, large = tmp_path / "small", tmp_path / "large"
    small.write_bytes(b"")
    large.write_bytes(bytes(3 << 20))
    assert file_digest(small).startswith("e3b0c44298fc1c149afbf4c8996fb924")
    assert file_digest(large) != file_digest(small)


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/etc/passwd")
    for name in ("pipe", "link", "none"):
        with pytest.raises(OSError, match=r"not a regular file|symbolic links|No such file"):
            file_digest(tmp_path / name)


def test_the_same_folder_has_the_same_digest_wherever_it_is(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    copy = tmp_path_factory.mktemp("elsewhere")
    (copy / "other").write_text("")
    (copy / "inner").mkdir()
    (copy / "inner" / "file").write_text("content")
    assert folder_digest(copy) == folder_digest(folder)


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "inner" / "file").write_text("contenT"),
        lambda folder: (folder / "other").rename(folder / "another"),
        lambda folder: (folder / "other").rename(folder / "inner" / "other"),
        lambda folder: (folder / "other").unlink(),
        lambda folder: (folder / "more").mkdir(),
        lambda folder: (folder / "more").symlink_to("nowhere"),
        lambda folder: os.mkfifo(folder / "more"),
    ],
)
def test_every_change_changes_the_digest(folder: Path, change: Callable[[Path], object]) -> None:
    before = folder_digest(folder)
    change(folder)
    assert folder_digest(folder) != before


def test_what_python_compiles_is_no_change(folder: Path) -> None:
    before = folder_digest(folder)
    (folder / "inner" / "__pycache__").mkdir()
    (folder / "inner" / "__pycache__" / "file.pyc").touch()
    assert folder_digest(folder) == before


def test_times_count_when_asked_for(folder: Path) -> None:
    with_times, without = folder_digest(folder, times=True), folder_digest(folder)
    os.utime(folder / "inner" / "file", (1, 1))
    assert folder_digest(folder) == without
    assert folder_digest(folder, times=True) != with_times


def test_a_link_to_something_cannot_be_told(folder: Path) -> None:
    (folder / "inner" / "link").symlink_to("/")
    with pytest.raises(UntraceableError):
        folder_digest(folder)


def test_a_folder_that_is_not_there_and_one_that_is_empty(tmp_path: Path) -> None:
    assert folder_digest(tmp_path / "none") != folder_digest(tmp_path)


@pytest.mark.slow
def test_folders_nested_more_deeply_than_functions(folder: Path) -> None:
    top = folder / "deep"
    for depth in range(1500):
        os.mkdir(f"{top}{'/x' * depth}")
    before = folder_digest(folder)
    (top / ("x/" * 1499) / "file").touch()
    after = folder_digest(folder)
    # What removes the folders of tests is not made for such ones.
    remove_folder(top)
    assert after != before
