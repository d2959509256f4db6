"""Fresh, stale, missing and orphaned files, their diffs, and repair."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.authoring.stale_files import TranscriptFinding, TranscriptState, findings, repair
from grader.expected.transcripts import write_transcript

UNHURRIED = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def found(folder: Path, generated: dict[str, str]) -> list[TranscriptFinding]:
    return list(findings(folder, {folder / name: text for name, text in generated.items()}))


def test_each_state_is_found_in_order(tmp_path: Path) -> None:
    for name in ("fresh", "stale", "orphaned"):
        write_transcript(tmp_path / f"{name}.txt", "old\n")
    generated = {"stale.txt": "new\n", "missing.txt": "new\n", "fresh.txt": "old\n"}
    assert found(tmp_path, generated) == [
        TranscriptFinding(tmp_path / "missing.txt", TranscriptState.MISSING, None, "new\n"),
        TranscriptFinding(tmp_path / "stale.txt", TranscriptState.STALE, "old\n", "new\n"),
        TranscriptFinding(tmp_path / "orphaned.txt", TranscriptState.ORPHANED, "old\n", None),
    ]


def test_a_folder_that_is_not_there_misses_everything(tmp_path: Path) -> None:
    assert [finding.state for finding in found(tmp_path / "expected", {"a.txt": "", "b.txt": "x"})] == [
        TranscriptState.MISSING
    ] * 2


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("mine")
    assert found(tmp_path, {}) == []


@pytest.mark.parametrize(("old", "new"), [("a\n", "a\r\n"), ("a", "a\n"), ("a ", "a"), ("\udcff", "\ufffd"), ("", " ")])
def test_every_byte_counts(old: str, new: str, tmp_path: Path) -> None:
    write_transcript(tmp_path / "a.txt", old)
    assert [finding.state for finding in found(tmp_path, {"a.txt": new})] == [TranscriptState.STALE]
    assert found(tmp_path, {"a.txt": old}) == []


NO_END = "\\ No newline at end of file\n"


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ("a\nb\n", "a\nc\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"),
        ("a\nb", "a\nb\n", f"@@ -1,2 +1,2 @@\n a\n-b\n{NO_END}+b\n"),
        ("a\n", "a", f"@@ -1 +1 @@\n-a\n+a\n{NO_END}"),
        ("a\nb", "c\nb", f"@@ -1,2 +1,2 @@\n-a\n+c\n b\n{NO_END}"),
        (None, "a\n", "@@ -0,0 +1 @@\n+a\n"),
        ("a\n", None, "@@ -1 +0,0 @@\n-a\n"),
        # Nothing but a line feed ends a line of the file.
        ("a\rb\x0c\u2028c\x85\n", "d\n", "@@ -1 +1 @@\n-a\rb\x0c\u2028c\x85\n+d\n"),
    ],
)
def test_a_diff_can_be_read(old: str | None, new: str | None, changes: str) -> None:
    diff = TranscriptFinding(Path("expected/a.txt"), TranscriptState.STALE, old, new).diff()
    assert diff == f"--- expected/a.txt\n+++ generated\n{changes}"


NAMES = st.sampled_from(["a.txt", "b.txt", "c.x.txt"])
FOLDERS = st.dictionaries(NAMES, st.binary(max_size=20))


@UNHURRIED
@given(FOLDERS, FOLDERS)
def test_after_repair_there_is_nothing_to_find(on_disk: dict[str, bytes], printed: dict[str, bytes]) -> None:
    generated = {file: content.decode("utf-8", "surrogateescape") for file, content in printed.items()}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "expected"
        for file, content in on_disk.items():
            folder.mkdir(exist_ok=True)
            (folder / file).write_bytes(content)
        for finding in found(folder, generated):
            assert finding.old != finding.new
            repair(finding)
        assert found(folder, generated) == []
        assert {file.name: file.read_bytes() for file in folder.glob("*")} == printed
