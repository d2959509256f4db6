"""The search for slips in the program of a failed test."""

import ast
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from grader.grading.grade_submission import SubmissionGrading
from grader.judge.stack_trace import telling_traceback
from grader.model.interaction import FunctionCall, typed_lines
from grader.model.judgement import Verdict
from grader.model.results import GradedSubmission, TestResult
from grader.model.test import Test
from grader.plugins.slips.reach import reached
from grader.plugins.slips.slips import Slip, find_slips
from grader.rules.source import UncheckedSourceError, UnreadableSourceError, read_source
from grader.run.interface import RunnerFactory
from grader.text.sentence import Sentence, joined, say

_MOST = 2
_NAMED_BY_PYTHON = ("NameError", "UnboundLocalError", "ImportError", "ModuleNotFoundError")
"""Errors that say themselves what is wrong."""


def find_hints(grading: SubmissionGrading, graded: GradedSubmission, _: RunnerFactory) -> Mapping[str, str]:
    """Return a hint for each failed test that may run a line with a slip."""
    own = _trees({file.name: file.path for file in graded.submission.files})
    provided = _trees({module.file: module.source for module in grading.assignment.provided})
    slips = list(find_slips(own, provided))
    hints = {}
    for result in filter(_may_be_explained, graded.results if slips else ()):
        test = result.test
        others = grading.assignment.program_named.keys() - {test.program}
        functions = reached([tree for name, tree in own.items() if name not in others], _words(test))
        relevant = [slip for slip in slips if slip.file not in others and slip.owner in functions]
        if relevant:
            hints[test.id] = joined(" ", [_sentence(slip, test) for slip in relevant[:_MOST]])
    return hints


def _trees(paths: Mapping[str, Path]) -> dict[str, ast.Module]:
    """Parse the files of Python that can be read."""
    trees = {}
    for name, path in paths.items():
        if name.endswith(".py"):
            with suppress(UnreadableSourceError, UncheckedSourceError, OSError):
                trees[name] = read_source(path, name).tree
    return trees


def _may_be_explained(result: TestResult) -> bool:
    """Return whether a test ran and failed for a reason that a slip can explain."""
    if result.verdict is Verdict.PASSED or not result.verdict.has_run or result.outcome is None:
        return False
    trace = telling_traceback(result.test, result.outcome.errors or result.outcome.transcript)
    return result.test.recipe is None and (trace is None or trace.error not in _NAMED_BY_PYTHON)


def _words(test: Test) -> set[str]:
    """Return the words of the code that a test runs itself."""
    call = test.interaction
    code = (*call.calls, *call.setup) if isinstance(call, FunctionCall) else typed_lines(call)
    return set(re.findall(r"\w+", "\n".join(code)))


def _sentence(slip: Slip, test: Test) -> Sentence:
    where = say("line {line}", line=slip.line)
    if slip.file != test.program:
        where = say("line {line} of {file}", line=slip.line, file=slip.file)
    return say("Perhaps {where} is the cause: {what}.", where=where, what=slip.sentence)
