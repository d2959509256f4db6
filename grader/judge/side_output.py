"""Judges what a program leaves apart from its transcript: standard error, and files that it writes."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from grader.judge.judge import judge
from grader.model.cause import SIDE_OUTPUT
from grader.model.ending import ANY_STATUS
from grader.model.interaction import StdinRun
from grader.model.judgement import Diagnosis, Judgement, MendedTranscripts, Verdict
from grader.model.outcome import Outcome, Termination
from grader.model.test import Test
from grader.text.escape import quote


@dataclass(frozen=True)
class ExpectedSideOutput:
    """What is expected on standard error, and in each file by name; lone surrogates stand for bytes of no text."""

    errors: str = ""
    files: Mapping[str, str] = field(default_factory=dict)


NOTHING_BESIDE = ExpectedSideOutput()


def judge_side_output(test: Test, expected: ExpectedSideOutput, outcome: Outcome, judgement: Judgement) -> Judgement:
    """The judgement on all that `outcome` left, given that on its transcript: the first difference counts."""
    if judgement.verdict is not Verdict.PASSED:
        return judgement
    if test.side_output.errors:
        found = _judge_text(test, "standard error", expected.errors, outcome, outcome.errors)
        if found.verdict is not Verdict.PASSED:
            return found
        judgement = replace(judgement, notes=(*judgement.notes, *found.notes))
    for name, content in expected.files.items():
        found = _judge_file(test, name, content, outcome)
        if found.verdict is not Verdict.PASSED:
            return found
        judgement = replace(judgement, notes=(*judgement.notes, *found.notes))
    return judgement


def _judge_file(test: Test, name: str, expected: str, outcome: Outcome) -> Judgement:
    actual = outcome.written.get(name)
    if actual is None:
        return _wrong(f"There is no file {quote(name)} when the program has ended; it should write one.")
    if _is_binary(expected) or _is_binary(actual):
        return _judge_bytes(name, _bytes(expected), _bytes(actual))
    return _judge_text(test, f"the file {quote(name)}", expected, outcome, actual)


def _judge_text(test: Test, where: str, expected: str, outcome: Outcome, actual: str) -> Judgement:
    """Judged as a transcript in which nothing is typed."""
    alone = replace(test, interaction=StdinRun(name=None, text=""), ending=ANY_STATUS)
    ended = replace(outcome, transcript=actual, typed=(), errors="", ending=Termination.EXITED, exit_code=0, unsent=0)
    found = judge(alone, expected, ended)
    if found.verdict is Verdict.PASSED or found.diagnosis is None:
        return found
    mended = found.mended or MendedTranscripts(expected, actual, ())
    said = found.diagnosis.sentence
    return replace(found, mended=mended, diagnosis=Diagnosis(SIDE_OUTPUT, f"In {where}: {said[0].lower()}{said[1:]}"))


def _is_binary(text: str) -> bool:
    return "\0" in text or any("\ud800" <= one <= "\udfff" for one in text)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _judge_bytes(name: str, expected: bytes, actual: bytes) -> Judgement:
    if expected == actual:
        return Judgement(verdict=Verdict.PASSED, divergence=None, diagnosis=None)
    pairs = enumerate(zip(expected, actual, strict=False))
    place = next((number for number, (wanted, found) in pairs if wanted != found), None)
    sizes = f"it has {len(actual)} bytes; expected {len(expected)}"
    if place is None:
        return _wrong(f"The file {quote(name)} is right as far as it goes, but {sizes}.")
    said = f"byte {place + 1} is 0x{actual[place]:02x}; expected 0x{expected[place]:02x}"
    return _wrong(f"In the file {quote(name)} {said}{'' if len(expected) == len(actual) else f', and {sizes}'}.")


def _wrong(sentence: str) -> Judgement:
    return Judgement(verdict=Verdict.WRONG_OUTPUT, divergence=None, diagnosis=Diagnosis(SIDE_OUTPUT, sentence))
