"""Finds a version of Python that can parse a program when the current version cannot.

The judge does not read files, so this module adds the version to its diagnosis. It changes the message but never the
verdict.
"""

import re
from collections.abc import MutableMapping
from dataclasses import replace

from grader.files.digest import read_regular_file
from grader.judge.causes.exceptions import SYNTAX_ERROR, read_by
from grader.judge.traceback import Traceback, find_traceback
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
    if outcome is None or judgement.diagnosis is None or judgement.diagnosis.cause is not SYNTAX_ERROR:
        return result
    traceback = find_traceback(outcome.errors or outcome.transcript, result.test.program)
    if traceback is None:
        return result
    name = traceback.file or result.test.program
    if name not in readers:
        readers[name] = _reader(name, traceback, submission, minor_version(version))
    reader = readers[name]
    if reader is None:
        return result
    diagnosis = read_by(judgement.diagnosis, reader, minor_version(version))
    return replace(result, judgement=replace(judgement, diagnosis=diagnosis))


def _reader(name: str, traceback: Traceback, submission: Submission, running: str) -> Sentence | None:
    file = submission.file(name)
    try:
        source = read_regular_file(file.path) if file else None
    except OSError:
        return None
    if source is None:
        return None
    newer = find_newer_python(source, running)
    if newer is not None:
        return say("Python {version} or newer reads this program", version=newer)
    if parses_as_python_2(source):
        return say("Python 2 reads this program")
    # In that case, nothing is known about the rest of the program.
    return say("Python 2 reads this line") if _WORDS_OF_PYTHON_2.match(traceback.message) else None
