"""Finds a version of Python that can parse a program when the current version cannot, and recognises notebooks.

The judge does not read files, so this module completes its diagnosis. It changes the message but never the verdict.
"""

import re
from collections.abc import MutableMapping
from dataclasses import replace

from grader.files.digest import read_regular_file
from grader.intake.source_note import NOTEBOOK
from grader.judge.causes.exceptions import SOURCE_FORMAT, SYNTAX_ERROR, read_by
from grader.judge.traceback import Traceback, find_traceback
from grader.model.cause import CauseSubject
from grader.model.judgement import Diagnosis
from grader.model.python_request import minor_version
from grader.model.results import TestResult
from grader.model.submission import Submission
from grader.run.syntax_versions import find_newer_python, parses_as_python_2
from grader.text.sentence import Sentence, say

_WORDS_OF_PYTHON_2 = re.compile(r"Missing parentheses in call to '(?:print|exec)'")
"""Python's messages about statements that became functions."""


Readers = MutableMapping[str, str | None]
"""The description of a Python version that can parse each file of a submission; a cache."""


def with_reader(result: TestResult, submission: Submission, version: str, readers: Readers) -> TestResult:
    """Add to the diagnosis which version of Python can parse the program, if it is not `version`.

    This function fills the cache `readers`.
    """
    judgement, outcome = result.judgement, result.outcome
    if outcome is None or judgement.diagnosis is None or judgement.diagnosis.cause.about is CauseSubject.GRADER:
        return result
    program = result.test.program
    # The text of a notebook can be an expression of Python, which does nothing.
    if program.endswith(".py") and NOTEBOOK.match(_source(submission, program) or b""):
        why = say("it is a notebook; export it as a Python script")
        sentence = say("Python cannot read {file}: {why}.", file=program, why=why)
        return replace(result, judgement=replace(judgement, diagnosis=Diagnosis(SOURCE_FORMAT, sentence)))
    if judgement.diagnosis.cause is not SYNTAX_ERROR:
        return result
    traceback = find_traceback(outcome.errors or outcome.transcript, result.test.program)
    if traceback is None:
        return result
    name = traceback.file or result.test.program
    if name not in readers:
        readers[name] = _reader(_source(submission, name), traceback, minor_version(version))
    reader = readers[name]
    if reader is None:
        return result
    diagnosis = read_by(judgement.diagnosis, reader, minor_version(version))
    return replace(result, judgement=replace(judgement, diagnosis=diagnosis))


def _source(submission: Submission, name: str) -> bytes | None:
    file = submission.file(name)
    try:
        return read_regular_file(file.path) if file else None
    except OSError:
        return None


def _reader(source: bytes | None, traceback: Traceback, running: str) -> Sentence | None:
    if source is None:
        return None
    newer = find_newer_python(source, running)
    if newer is not None:
        return say("Python {version} or newer reads this program", version=newer)
    if parses_as_python_2(source):
        return say("Python 2 reads this program")
    # In that case, nothing is known about the rest of the program.
    return say("Python 2 reads this line") if _WORDS_OF_PYTHON_2.match(traceback.message) else None
