"""A file is replaced as a whole or not at all, and no other program's content is lost."""

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from grader.files import replace_file as module
from grader.files.replace_file import clear_leftovers, put_in_place, replace_file


def announced() -> None:
    """Do nothing: nobody is told."""


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def test_new_content_takes_the_place_and_keeps_the_permissions(tmp_path: Path) -> None:
    file = tmp_path / "marks.yaml"
    assert replace_file(file, None, b"one", announced)
    file.chmod(0o640)
    assert replace_file(file, b"one", b"two", announced)
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (b"two", 0o640)
    assert names(tmp_path) == ["marks.yaml"]


def test_other_content_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "marks.yaml"
    assert not replace_file(file, b"one", b"two", announced)
    file.write_bytes(b"other")
    assert not replace_file(file, b"one", b"two", announced)
    assert not replace_file(file, None, b"two", announced)
    assert file.read_bytes() == b"other"
    assert names(tmp_path) == ["marks.yaml"]


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    there, link = tmp_path / "elsewhere" / "marks.yaml", tmp_path / "marks.yaml"
    there.write_bytes(b"one")
    link.symlink_to(there)
    assert replace_file(link, b"one", b"two", announced)
    assert link.is_symlink()
    assert there.read_bytes() == b"two"


@pytest.mark.parametrize("by_rename", [True, False])
def test_what_an_editor_saved_at_the_last_moment_stays(
    by_rename: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As on systems that have none: here, who saves in place would wait.
    monkeypatch.setattr(module, "_leased", lambda _: False)
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
    assert not replace_file(file, b"one", b"two", announced)
    assert saved == []
    assert file.read_bytes() == b"saved again"
    assert names(tmp_path) == ["marks.yaml"]


def test_a_system_that_cannot_exchange_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "marks.yaml"
    file.write_bytes(b"one")
    monkeypatch.setattr("ctypes.CDLL", lambda *_, **__: object())
    assert replace_file(file, b"one", b"two", announced)
    assert file.read_bytes() == b"two"
    assert names(tmp_path) == ["marks.yaml"]


@pytest.mark.parametrize("mode", ["r+b", "ab", "wb"])
def test_a_file_that_is_open_for_writing_is_left_to_its_writer(mode: str, tmp_path: Path) -> None:
    file = tmp_path / "marks.yaml"
    file.write_bytes(b"one")
    with file.open(mode) as writer:
        before = file.read_bytes()
        assert not replace_file(file, before, b"two", announced)
        writer.write(b"more")
    assert file.read_bytes() in (b"more", b"onemore")
    assert replace_file(file, file.read_bytes(), b"two", announced)
    assert names(tmp_path) == ["marks.yaml"]


def test_who_opens_a_file_while_it_is_exchanged_writes_to_it_under_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "marks.yaml"
    file.write_bytes(b"one")
    exchange: Any = vars(module)["_exchange"]
    # A signal handler that set an Event could meet the lock of the thread that waits for it.
    signals: list[int] = []
    handler = signal.signal(signal.SIGWINCH, lambda number, _: signals.append(number))
    writer = Thread(target=lambda: file.write_bytes(b"written"))

    def open_and_exchange(first: Path, second: Path) -> None:
        if not signals:
            writer.start()
            end = time.monotonic() + 60
            while not signals and time.monotonic() < end:
                time.sleep(0.01)
            assert signals
        exchange(first, second)

    monkeypatch.setattr(module, "_exchange", open_and_exchange)
    try:
        assert not replace_file(file, b"one", b"two", announced)
        writer.join()
    finally:
        signal.signal(signal.SIGWINCH, handler)
    assert file.read_bytes() == b"written"
    assert names(tmp_path) == ["marks.yaml"]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
def test_owner_and_group_stay(tmp_path: Path) -> None:
    file = tmp_path / "marks.yaml"
    file.write_bytes(b"one")
    file.chmod(0o660)
    os.chown(file, 12345, 12346)
    assert replace_file(file, b"one", b"two", announced)
    status = file.stat()
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (12345, 12346, 0o660)


def test_a_read_only_file_is_not_replaced(tmp_path: Path) -> None:
    file = tmp_path / "marks.yaml"
    file.write_bytes(b"one")
    file.chmod(0o444)
    with pytest.raises(PermissionError, match="it is read-only"):
        replace_file(file, b"one", b"two", announced)
    assert (file.read_bytes(), names(tmp_path)) == (b"one", ["marks.yaml"])


@pytest.mark.parametrize("can_exchange", [True, False])
def test_a_folder_takes_the_place_of_another(
    can_exchange: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not can_exchange:
        monkeypatch.setattr("ctypes.CDLL", lambda *_, **__: object())
    new, place = tmp_path / "made" / "students", tmp_path / "students"
    for content in ("first", "second"):
        new.mkdir(parents=True)
        (new / "ann.txt").write_text(content)
        put_in_place(new, place)
        assert (place / "ann.txt").read_text() == content
        assert "made" in names(tmp_path)
    (before,) = (tmp_path / "made").iterdir()
    assert (before / "ann.txt").read_text() == "first"


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
    assert replace_file(file, before, f"{number} ".encode() * 5000, lambda: None)
    print(number, flush=True)
"""


@pytest.mark.slow
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
