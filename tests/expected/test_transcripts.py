"""Expected transcripts on disk."""

from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from grader.expected.transcripts import (
    MissingTranscriptError,
    expected_file,
    load_transcripts,
    read_transcript,
    wanted,
    write_transcript,
)
from grader.model.assignment import Assignment, Part
from grader.model.interaction import Dialogue
from grader.model.program import Limits, Program
from grader.model.test import Visibility
from tests.building import TEST

ONE = replace(
    TEST,
    id="one",
    part="play",
    visibility=Visibility.HIDDEN,
    interaction=Dialogue(("1",)),
)
TWO = replace(ONE, id="two", program="other.py")


def assignment(folder: Path) -> Assignment:
    return Assignment(
        id="demo",
        title="Demo",
        folder=folder / "demo",
        programs=(
            Program(file="game.py", reference=folder / "game.py", variants=("canonical", "wordy")),
            Program(file="other.py", reference=folder / "other.py", variants=("canonical",)),
        ),
        parts=(Part(id="play", title="Playing", marks=Decimal(2)),),
        due=datetime(2025, 10, 27, 11, 59, tzinfo=ZoneInfo("Australia/Sydney")),
        late=None,
        limits=Limits(),
        tests=(ONE, TWO),
    )


def test_every_test_is_wanted_in_every_variant_of_its_program(tmp_path: Path) -> None:
    names = [(test.id, variant) for test, variant in wanted(assignment(tmp_path), (ONE, TWO))]
    assert names == [("one", "canonical"), ("one", "wordy"), ("two", "canonical")]


def test_what_was_written_is_loaded(tmp_path: Path) -> None:
    demo = assignment(tmp_path)
    for test, variant in wanted(demo, demo.tests):
        write_transcript(expected_file(demo, test, variant), f"{test.id} {variant}\r\n\udcff")
    transcripts = load_transcripts(demo, demo.tests)
    assert transcripts.text(ONE, "wordy") == "one wordy\r\n\udcff"
    assert transcripts.text(TWO, "canonical") == "two canonical\r\n\udcff"
    assert (tmp_path / "demo" / "expected" / "one.wordy.txt").read_bytes() == b"one wordy\r\n\xff"


def test_a_missing_transcript_says_what_to_do(tmp_path: Path) -> None:
    demo = assignment(tmp_path)
    write_transcript(expected_file(demo, ONE, "canonical"), "")
    with pytest.raises(MissingTranscriptError) as caught:
        load_transcripts(demo, (ONE,))
    assert str(caught.value) == (
        f"{tmp_path}/demo/expected/one.wordy.txt cannot be read (No such file or directory): run `grader generate demo`"
    )


@pytest.mark.parametrize("content", [bytes(range(256)), b"", b"\xef\xbb\xbfa", b"\r\n\r\r\n", "é😀\ufffd".encode()])
def test_any_bytes_survive(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(content)
    write_transcript(tmp_path / "new" / "b.txt", read_transcript(tmp_path / "a.txt"))
    assert (tmp_path / "new" / "b.txt").read_bytes() == content
