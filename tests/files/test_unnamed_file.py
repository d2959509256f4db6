"""Files without a name do not depend on the folder for temporary files where memory can hold them."""

import os
import sys
import tempfile
from pathlib import Path

import pytest

from grader.files.unnamed_file import unnamed_file


def content(folder: str, monkeypatch: pytest.MonkeyPatch) -> bytes:
    monkeypatch.setattr(tempfile, "tempdir", folder)
    with unnamed_file() as file:
        os.write(file.fileno(), b"written")
        return os.pread(file.fileno(), 100, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such files")
def test_a_folder_without_room_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert content(str(tmp_path / "missing"), monkeypatch) == b"written"


def test_elsewhere_it_is_in_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert content(str(tmp_path), monkeypatch) == b"written"
    with pytest.raises(FileNotFoundError):
        content(str(tmp_path / "missing"), monkeypatch)
