"""Judges output outside the transcript: standard error and files that the program writes."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from grader.judge.judge import judge
from grader.model.ending import ANY_STATUS
from grader.model.general_causes import SIDE_OUTPUT
from grader.model.interaction import StdinRun
from grader.model.judgement import Diagnosis, Judgement, MendedTranscripts, Verdict
from grader.model.outcome import Outcome, Termination
from grader.model.test import Test
from grader.text.escape import quote
from grader.text.sentence import Sentence, say


@dataclass(frozen=True)
class ExpectedSideOutput:
    """The expected standard error, and each file's content by name; lone surrogates stand for undecodable bytes."""

    errors: str = ""
    files: Mapping[str, str] = field(default_factory=dict)


def judge_side_output(test: Test, expected: ExpectedSideOutput, outcome: Outcome, judgement: Judgement) -> Judgement:
    """Judge all other output of `outcome`, given the judgement on its transcript; the first difference counts."""
    if judgement.verdict is not Verdict.PASSED:
        return judgement
    if test.side_output.errors:
        side_judgement = _judge_text(test, say("standard error"), expected.errors, outcome, outcome.errors)
        if side_judgement.verdict is not Verdict.PASSED:
            return side_judgement
        judgement = replace(judgement, notes=(*judgement.notes, *side_judgement.notes))
    for name, content in expected.files.items():
        side_judgement = _judge_file(test, name, content, outcome)
        if side_judgement.verdict is not Verdict.PASSED:
            return side_judgement
        judgement = replace(judgement, notes=(*judgement.notes, *side_judgement.notes))
    return judgement


def _judge_file(test: Test, name: str, expected: str, outcome: Outcome) -> Judgement:
    actual = outcome.written.get(name)
    if actual is None:
        sentence = say("There is no file {file} when the program has ended; it should write one.", file=quote(name))
        return _wrong(sentence)
    if _is_binary(expected) or _is_binary(actual):
        return _judge_bytes(name, _bytes(expected), _bytes(actual))
    return _judge_text(test, say("the file {file}", file=quote(name)), expected, outcome, actual)


def _judge_text(test: Test, where: Sentence, expected: str, outcome: Outcome, actual: str) -> Judgement:
    """Judge a text like a transcript without input."""
    alone = replace(test, interaction=StdinRun(name=None, text=""), ending=ANY_STATUS)
    ended = replace(outcome, transcript=actual, typed=(), errors="", ending=Termination.EXITED, exit_code=0, unsent=0)
    text_judgement = judge(alone, expected, ended)
    if text_judgement.verdict is Verdict.PASSED or text_judgement.diagnosis is None:
        return text_judgement
    mended = text_judgement.mended or MendedTranscripts(expected, actual, ())
    sentence = say("In {where}: {said:lower}", where=where, said=text_judgement.diagnosis.sentence)
    return replace(text_judgement, mended=mended, diagnosis=Diagnosis(SIDE_OUTPUT, sentence))


def _is_binary(text: str) -> bool:
    return "\0" in text or any("\ud800" <= character <= "\udfff" for character in text)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _judge_bytes(name: str, expected: bytes, actual: bytes) -> Judgement:
    if expected == actual:
        return Judgement(verdict=Verdict.PASSED)
    pairs = enumerate(zip(expected, actual, strict=False))
    place = next((number for number, (expected_byte, actual_byte) in pairs if expected_byte != actual_byte), None)
    sizes = say("it has {found} bytes; expected {wanted}", found=len(actual), wanted=len(expected))
    file = quote(name)
    if place is None:
        return _wrong(say("The file {file} is right as far as it goes, but {sizes}.", file=file, sizes=sizes))
    sentence = say(
        "In the file {file} byte {place} is 0x{found:02x}; expected 0x{wanted:02x}{more}.",
        file=file,
        place=place + 1,
        found=actual[place],
        wanted=expected[place],
        more="" if len(expected) == len(actual) else say(", and {sizes}", sizes=sizes),
    )
    return _wrong(sentence)


def _wrong(sentence: Sentence) -> Judgement:
    return Judgement(verdict=Verdict.WRONG_OUTPUT, diagnosis=Diagnosis(SIDE_OUTPUT, sentence))
