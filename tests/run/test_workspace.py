"""The private folder of a session: what goes in, and that nothing stays."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.errors import SessionError
from grader.run.sandbox.starting import SERVER
from grader.run.workspace import remove_folder, wait_until_executable, workspace


def test_files_are_copied_under_their_names(tmp_path: Path) -> None:
    (tmp_path / "one").write_bytes(b"\x00first")
    (tmp_path / "two").write_text("second")
    parent = tmp_path / "parent"
    parent.mkdir()

    with workspace([(tmp_path / "one", "game.py"), (tmp_path / "two", "deck/cards.txt")], parent) as folder:
        assert folder.parent == parent
        assert (folder / "game.py").read_bytes() == b"\x00first"
        assert (folder / "deck" / "cards.txt").read_text() == "second"
        assert sorted(path.name for path in folder.rglob("*")) == ["cards.txt", "deck", "game.py"]
        assert folder.stat().st_mode & 0o077 == 0
        (folder / "game.py").write_text("changed")

    assert list(parent.iterdir()) == []
    assert (tmp_path / "one").read_bytes() == b"\x00first"


@pytest.mark.parametrize(
    ("name", "content"), [("Sum.java", b"class"), ("Sum.py", b"\xef\xbb\xbfclass"), ("x/Sum.java", b"class")]
)
def test_a_byte_order_mark_is_left_out_of_java_alone(name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / "marked").write_bytes(b"\xef\xbb\xbfclass")
    with workspace([(tmp_path / "marked", name)], tmp_path) as folder:
        assert (folder / name).read_bytes() == content


@pytest.mark.parametrize("content", [b"", b"\xef", b"\xef\xbb", b"class Sum { }"])
def test_java_without_a_byte_order_mark_stays(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "source").write_bytes(content)
    with workspace([(tmp_path / "source", "Sum.java")], tmp_path) as folder:
        assert (folder / "Sum.java").read_bytes() == content


def test_every_folder_is_fresh(tmp_path: Path) -> None:
    with workspace([], tmp_path) as first, workspace([], tmp_path) as second:
        assert first != second


def test_it_is_removed_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="ours"), workspace([], tmp_path):
        raise ValueError("ours")

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["link", "folder", "pipe", "missing"])
def test_only_regular_files_are_copied(tmp_path: Path, kind: str) -> None:
    source, parent = tmp_path / "source", tmp_path / "parent"
    parent.mkdir()
    (tmp_path / "secret").write_text("secret")
    if kind == "link":
        source.symlink_to(tmp_path / "secret")
    elif kind == "folder":
        source.mkdir()
    elif kind == "pipe":
        os.mkfifo(source)

    with pytest.raises(SessionError, match="source"), workspace([(source, "a.py")], parent):
        pytest.fail("the folder was given")

    assert list(parent.iterdir()) == []


@pytest.mark.parametrize("name", ["/etc/a.py", "../a.py", "b/../../a.py", "", "."])
def test_names_stay_inside(tmp_path: Path, name: str) -> None:
    (tmp_path / "source").write_text("")

    with pytest.raises(SessionError, match="not the name"), workspace([(tmp_path / "source", name)], tmp_path):
        pytest.fail("the folder was given")

    assert [path.name for path in tmp_path.iterdir()] == ["source"]


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "source").write_text("")
    twice = [(tmp_path / "source", "a.py")] * 2

    with pytest.raises(SessionError, match="cannot copy"), workspace(twice, tmp_path):
        pytest.fail("the folder was given")


def test_read_only_folders_and_links_are_removed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("")
    parent = tmp_path / "parent"
    parent.mkdir()

    with workspace([], parent) as folder:
        inner = folder / "a" / "b"
        inner.mkdir(parents=True)
        (inner / "file").write_text("")
        (inner / "link").symlink_to(outside)
        os.mkfifo(inner / "pipe")
        for path in (inner, folder / "a", folder):
            path.chmod(0)

    assert list(parent.iterdir()) == []
    assert (outside / "kept").exists()


@pytest.mark.slow
def test_folders_nested_deeper_than_a_path_can_be_are_removed(tmp_path: Path) -> None:
    with workspace([], tmp_path) as folder:
        fd = os.open(folder, os.O_RDONLY)
        for _ in range(3000):
            os.mkdir("deep", dir_fd=fd)
            inner = os.open("deep", os.O_RDONLY, dir_fd=fd)
            os.close(fd)
            fd = inner
        os.close(fd)

    assert list(tmp_path.iterdir()) == []


def test_removing_what_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SessionError, match="cannot remove"):
        remove_folder(tmp_path / "missing")


@pytest.mark.slow
def test_a_sandbox_that_may_not_mount_folders_empties_them(tmp_path: Path) -> None:
    """Folders deep and wide, closed ones, links and attributes."""
    (top := tmp_path / "top").mkdir()
    (outside := tmp_path / "outside").write_text("stays")
    inner = os.open(top, os.O_RDONLY)
    for depth in range(1500):
        for name in ("one", "other"):
            os.mkdir(name, dir_fd=inner)
        os.symlink(outside, "link", dir_fd=inner)
        next_one = os.open("one", os.O_RDONLY, dir_fd=inner)
        if depth % 100 == 0:
            os.chmod("other", 0, dir_fd=inner)
        os.close(inner)
        inner = next_one
    os.close(inner)
    command = "import sys; from folders import empty_folder; empty_folder(sys.argv[1])"
    subprocess.run(
        [sys.executable, "-c", command, top],
        env={"PYTHONPATH": str(SERVER), "PYTHONDONTWRITEBYTECODE": "1"},
        check=True,
    )
    assert list(top.iterdir()) == []
    assert outside.read_text() == "stays"


def test_what_was_killed_may_add_something_yet(tmp_path: Path) -> None:
    folder = tmp_path / "session"
    folder.mkdir()
    script = "for n in $(seq 300); do mkdir d$n 2>/dev/null; echo; done"
    with subprocess.Popen(["sh", "-c", script], cwd=folder, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        program.stdout.readline()
        remove_folder(folder)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_another_process_has_open_for_writing_is_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "program"
    with file.open("w") as writer:
        writer.write("#!/bin/sh\necho run\n")
        writer.flush()
        file.chmod(0o700)
        script = "read line; exec true"
        other = subprocess.Popen(["sh", "-c", script], stdin=subprocess.PIPE, pass_fds=[writer.fileno()])
    assert other.stdin is not None
    with pytest.raises(OSError, match="Text file busy"):
        subprocess.run([file], check=True)
    other.stdin.close()
    wait_until_executable(file)
    assert subprocess.run([file], check=True, capture_output=True).stdout == b"run\n"
    other.wait()
