"""For a program that Python cannot parse, finds a version of Python that can; recognises a notebook that Python reads.

The judge does not read files, so this is added to its diagnosis. It never changes the verdict.
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
from grader.run.syntax_versions import newer_reader, python_2_reads
from grader.text.sentence import Sentence, say

_WORDS_OF_PYTHON_2 = re.compile(r"Missing parentheses in call to '(?:print|exec)'")
"""Python's messages about the statements that became functions."""


Readers = MutableMapping[str, str | None]
"""The version of Python that reads each file of a submission, in words, as far as known."""


def with_reader(result: TestResult, submission: Submission, version: str, readers: Readers) -> TestResult:
    """Add to the diagnosis the version of Python that reads the program, if that is not `version`.

    `readers` is a cache, which this fills.
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
    newer = newer_reader(source, running)
    if newer is not None:
        return say("Python {version} or newer reads this program", version=newer)
    if python_2_reads(source):
        return say("Python 2 reads this program")
    # The rest of the program is not known then.
    return say("Python 2 reads this line") if _WORDS_OF_PYTHON_2.match(traceback.message) else None
