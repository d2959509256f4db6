"""A file is replaced as a whole or not at all, and no other program's content is lost."""

import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.files import replace_file as module
from grader.files.replace_file import clear_leftovers, replace_file


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def test_new_content_takes_the_place_and_keeps_the_permissions(tmp_path: Path) -> None:
    file = tmp_path / "marks.yaml"
    assert replace_file(file, None, b"one")
    file.chmod(0o640)
    assert replace_file(file, b"one", b"two")
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (b"two", 0o640)
    assert names(tmp_path) == ["marks.yaml"]


def test_other_content_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "marks.yaml"
    assert not replace_file(file, b"one", b"two")
    file.write_bytes(b"other")
    assert not replace_file(file, b"one", b"two")
    assert not replace_file(file, None, b"two")
    assert file.read_bytes() == b"other"
    assert names(tmp_path) == ["marks.yaml"]


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    there, link = tmp_path / "elsewhere" / "marks.yaml", tmp_path / "marks.yaml"
    there.write_bytes(b"one")
    link.symlink_to(there)
    assert replace_file(link, b"one", b"two")
    assert link.is_symlink()
    assert there.read_bytes() == b"two"


@pytest.mark.parametrize("by_rename", [True, False])
def test_what_an_editor_saved_at_the_last_moment_stays(
    by_rename: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "marks.yaml"
    file.write_bytes(b"one")
    exchange: Any = vars(module)["_exchange"]
    saved = [b"saved first", b"saved again"]

    def save_and_exchange(first: Path, second: Path) -> None:
        if saved:
            beside = tmp_path / "editor's"
            target = beside if by_rename else file
            target.write_bytes(saved.pop(0))
            if by_rename:
                beside.replace(file)
        exchange(first, second)

    monkeypatch.setattr(module, "_exchange", save_and_exchange)
    assert not replace_file(file, b"one", b"two")
    assert saved == []
    assert file.read_bytes() == b"saved again"
    assert names(tmp_path) == ["marks.yaml"]


def test_a_system_that_cannot_exchange_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "marks.yaml"
    file.write_bytes(b"one")
    monkeypatch.setattr("ctypes.CDLL", lambda *_, **__: object())
    assert replace_file(file, b"one", b"two")
    assert file.read_bytes() == b"two"
    assert names(tmp_path) == ["marks.yaml"]


WRITER = """
import sys
from pathlib import Path
from grader.files.replace_file import clear_leftovers, replace_file

file = Path(sys.argv[1])
assert clear_leftovers(file.parent) == []
number = int(file.read_text().split()[0])
print("ready", flush=True)
while True:
    before, number = file.read_bytes(), number + 1
    assert replace_file(file, before, f"{number} ".encode() * 5000)
    print(number, flush=True)
"""


def test_a_writer_that_is_killed_leaves_the_file_whole(tmp_path: Path) -> None:
    file = tmp_path / "marks.yaml"
    file.write_bytes(b"0 " * 5000)
    for lines in (1, 2, 3, 5, 8, 13, 21, 34):
        with subprocess.Popen([sys.executable, "-c", WRITER, str(file)], stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout
            assert writer.stdout.readline() == "ready\n"
            told = [int(writer.stdout.readline()) for _ in range(lines)]
            writer.kill()
            told += [int(line) for line in writer.stdout.read().split("\n")[:-1]]
        found = set(file.read_text().split())
        assert found in ({str(told[-1])}, {str(told[-1] + 1)})
    clear_leftovers(tmp_path)
    assert names(tmp_path) == ["marks.yaml"]


def test_what_is_nowhere_else_is_not_cleared_away(tmp_path: Path) -> None:
    digests = "0" * 16, "1" * 16
    saved = tmp_path / f".grader-new-{'-'.join(digests)}-marks.yaml"
    saved.write_bytes(b"an editor's")
    (tmp_path / ".grader-unfinished-12").write_bytes(b"half a")
    assert clear_leftovers(tmp_path) == [saved]
    assert names(tmp_path) == [saved.name]
