"""The expected transcripts of an assignment on disk.

They are in test_specs/ID/expected/TEST.VARIANT.txt. For a function test, TEST.VARIANT.json contains the return values,
the output and the changed arguments. TEST.VARIANT.because.json contains the rules that a reference gives as reasons.
Other output that a test compares is in TEST.VARIANT.stderr and the folder TEST.VARIANT.files.

Files are UTF-8 with Unix line endings; bytes that are not UTF-8 are preserved.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.errors import GraderError
from grader.expected.rationale import RuleReasons, read_reasons
from grader.judge.seal import TranscriptSeal
from grader.judge.side_output import ExpectedSideOutput
from grader.model.assignment import Assignment
from grader.model.expectation import GivenTranscript
from grader.model.interaction import FunctionCall
from grader.model.partial_credit import PartialSteps
from grader.model.test import Test

# Files cannot have this name.
ERRORS = ""


class MissingTranscriptError(GraderError):
    """An expected transcript has not been generated."""


@dataclass(frozen=True)
class ExpectedTranscripts:
    """Expected transcripts by test id and variant, some with reasons, and seals for hidden transcripts."""

    texts: Mapping[tuple[str, str], str]
    seals: Mapping[tuple[str, str], TranscriptSeal] = field(default_factory=dict)
    reasons: Mapping[tuple[str, str], RuleReasons] = field(default_factory=dict)
    side_outputs: Mapping[tuple[str, str], ExpectedSideOutput] = field(default_factory=dict)

    def text(self, test: Test, variant: str) -> str:
        """Return the expected transcript of `test` in `variant`; empty if it is sealed or missing."""
        if isinstance(test.expectation, GivenTranscript):
            return test.expectation.text
        if self.seal(test, variant) or not test.needs_reference:
            return ""
        return self.texts[test.id, variant]

    def seal(self, test: Test, variant: str) -> TranscriptSeal | None:
        """Return the seal of that transcript; None if the transcript itself is available."""
        return self.seals.get((test.id, variant))

    def reasons_of(self, test: Test, variant: str) -> RuleReasons:
        """Return the rules behind the lines of that transcript."""
        return self.reasons.get((test.id, variant), RuleReasons())

    def side_output_of(self, test: Test, variant: str) -> ExpectedSideOutput:
        """Return the other expected output for that transcript."""
        return self.side_outputs.get((test.id, variant), ExpectedSideOutput())


def expected_file(assignment: Assignment, test: Test, variant: str) -> Path:
    """Return the path of the expected transcript of `test` in `variant`."""
    suffix = "json" if isinstance(test.interaction, FunctionCall) else "txt"
    return assignment.folder / "expected" / f"{test.id}.{variant}.{suffix}"


def side_output_files(assignment: Assignment, test: Test, variant: str) -> dict[str, Path]:
    """Return the paths of the other expected output: written files by name, standard error by `ERRORS`."""
    start = f"{test.id}.{variant}"
    folder = assignment.folder / "expected"
    paths = {name: folder / f"{start}.files" / name for name in test.side_output.files}
    return {**paths, ERRORS: folder / f"{start}.stderr"} if test.side_output.errors else paths


def reasons_file(assignment: Assignment, test: Test, variant: str) -> Path:
    """Return the path of the rules behind that transcript's lines, which exists if the reference gives reasons."""
    return assignment.folder / "expected" / f"{test.id}.{variant}.because.json"


def needs_steps(test: Test) -> bool:
    """Return whether we need to know when the reference read its input, even though typed text is shown."""
    return test.partial is not None and isinstance(test.partial.way, PartialSteps)


def wanted(assignment: Assignment, tests: Sequence[Test]) -> Iterator[tuple[Test, str]]:
    """Yield every test that needs a reference, with every accepted variant of its program."""
    for test in (candidate for candidate in tests if candidate.needs_reference):
        for variant in assignment.program_of[test.program].variants:
            yield test, variant


def load_transcripts(assignment: Assignment, tests: Sequence[Test]) -> ExpectedTranscripts:
    """Return the expected transcripts of `tests`.

    Raises MissingTranscriptError if a transcript is missing, and RationaleError if its reasons cannot be read.
    """
    texts = {}
    reasons = {}
    side_outputs = {}
    for test, variant in wanted(assignment, tests):
        texts[test.id, variant] = _read_expected(assignment, expected_file(assignment, test, variant))
        reasons[test.id, variant] = read_reasons(reasons_file(assignment, test, variant))
        if needs_steps(test) and not reasons[test.id, variant].typed:
            lacks = f"{expected_file(assignment, test, variant)} lacks when its input was read"
            message = f"{lacks}: run `grader generate {assignment.id}`"
            raise MissingTranscriptError(message)
        files = side_output_files(assignment, test, variant)
        if files:
            contents = {name: _read_expected(assignment, file) for name, file in files.items()}
            side_outputs[test.id, variant] = ExpectedSideOutput(contents.pop(ERRORS, ""), contents)
    return ExpectedTranscripts(texts, reasons=reasons, side_outputs=side_outputs)


def _read_expected(assignment: Assignment, file: Path) -> str:
    try:
        return read_transcript(file)
    except OSError as error:
        message = f"{file} cannot be read ({error.strerror}): run `grader generate {assignment.id}`"
        raise MissingTranscriptError(message) from None


def read_transcript(file: Path) -> str:
    """Return the text of a transcript file. Raises OSError."""
    return file.read_bytes().decode("utf-8", "surrogateescape")


def write_transcript(file: Path, text: str) -> None:
    """Write a transcript, preserving every byte that the program printed. Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
