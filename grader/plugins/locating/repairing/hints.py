"""Finds hints for students: a proved repair of their program, found with public tests alone within three seconds.

Only the student's own text is changed, and the only other text used is the expected output that public tests show.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from time import monotonic

from grader.grading.grade_submission import SubmissionGrading
from grader.model.results import GradedSubmission
from grader.model.test import Visibility
from grader.plugins.locating.repairing.failing import failing_programs
from grader.plugins.locating.repairing.hint_search import HintSearch
from grader.plugins.locating.repairing.hint_words import HintWords
from grader.plugins.locating.repairing.repairer import CANNOT_BE_TRIED
from grader.run.interface import RunnerFactory

SECONDS_OF_HINTS = 2.5
"""Ending the search takes a moment more, so that all of it takes three seconds at most."""


def find_hints(
    words: HintWords,
    grading: SubmissionGrading,
    graded: GradedSubmission,
    runners: RunnerFactory,
) -> Mapping[str, str]:
    """Return a hint for each test that fails for a cause whose tests a proved repair of the program mends."""
    clock, end = monotonic, monotonic() + SECONDS_OF_HINTS
    public = [result for result in graded.results if result.test.visibility is Visibility.PUBLIC]
    hints: dict[str, str] = {}
    if hasattr(os, "fork"):
        for program in failing_programs(grading.assignment, graded.with_results(lambda _: public)):
            search = HintSearch(program=program, public=public, grading=grading, runners=runners, end=end, clock=clock)
            with suppress(*CANNOT_BE_TRIED):
                for proved in search.proved():
                    sentence = words(program.text, proved)
                    hints |= dict.fromkeys(proved.tests, sentence) if sentence else {}
    return hints
