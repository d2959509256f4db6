"""The transcript that is made of what was shown and typed."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.outcome import TypedLine
from grader.run.transcript import TranscriptRecorder

FOLDER = Path("/private/session-1")
TEXT = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("\udc80\udcff"))


def test_the_private_folder_is_left_out_and_offsets_follow() -> None:
    recording = TranscriptRecorder(1000)
    recording.show("in /private/session-1\n/private/sess")
    recording.show("ion-1/game.py? ")
    recording.type("yes")
    recording.show("yes\n/private/session-1/x")

    transcript = recording.transcript(FOLDER)

    assert transcript.text == "in .\ngame.py? yes\nx"
    assert transcript.typed == (TypedLine(14, "yes"),)


def test_the_folder_of_python_is_called_as_in_a_sandbox() -> None:
    recording = TranscriptRecorder(1000)
    recording.show("/tmp/a/python-3.13.0-x/lib/old.py:3: UserWarning\n/private/session-1/x")
    transcript = recording.transcript(FOLDER, Path("/tmp/a/python-3.13.0-x"))
    assert transcript.text == "/opt/python/lib/old.py:3: UserWarning\nx"


@given(st.lists(st.tuples(TEXT, TEXT)), TEXT)
def test_offsets_are_where_the_echo_begins(turns: list[tuple[str, str]], last: str) -> None:
    recording = TranscriptRecorder(10**9)
    for shown, line in turns:
        recording.show(shown)
        recording.type(line)
        recording.show(f"{line}\n")
    recording.show(last)

    transcript = recording.transcript(Path("/a folder that hypothesis does not think of"))

    assert transcript.text == "".join(f"{shown}{line}\n" for shown, line in turns) + last
    for typed, (_, line) in zip(transcript.typed, turns, strict=True):
        assert typed.text == line
        assert transcript.text[typed.offset :].startswith(f"{line}\n")


@given(st.lists(TEXT), st.integers(0, 40))
def test_exactly_the_first_bytes_are_kept(chunks: list[str], limit: int) -> None:
    recording = TranscriptRecorder(limit)
    for chunk in chunks:
        recording.show(chunk)

    whole = b"".join(chunk.encode("utf-8", "surrogateescape") for chunk in chunks)
    text = recording.transcript(Path("/a folder that hypothesis does not think of")).text
    assert text.encode("utf-8", "surrogateescape") == whole[:limit]
    assert recording.is_over == (len(whole) > limit)


@pytest.mark.parametrize("workdir", [Path("/work"), FOLDER])
@pytest.mark.parametrize(
    ("printed", "kept"),
    [
        ("a home/work balance", "a home/work balance"),
        ("/workshop, /work-2, /work.txt and ~/work", "/workshop, /work-2, /work.txt and ~/work"),
        ('File "/work/game.py", line 1', 'File "game.py", line 1'),
        ("in /work. file:///work/game.py, cwd=/work", "in .. file://game.py, cwd=."),
        ("/work", "."),
    ],
)
def test_the_folder_of_a_sandbox_is_left_out_as_a_path_alone(workdir: Path, printed: str, kept: str) -> None:
    recording = TranscriptRecorder(1000)
    recording.show(printed)
    assert recording.transcript(workdir).text == kept
