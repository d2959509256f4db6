"""Verdicts that a person decided, in the place of those of the judge."""

from collections.abc import Iterable
from dataclasses import replace

from grader.model.cause import OVERRIDE
from grader.model.judgement import Diagnosis, Judgement, Note, NoteKind, Verdict
from grader.model.mark import Override, VerdictOverride
from grader.model.results import GradedSubmission, Overridden, TestResult
from grader.text.escape import escape_controls


def with_verdicts(graded: GradedSubmission, overrides: Iterable[Override]) -> GradedSubmission:
    """`graded` with the verdicts of `overrides`, which also settle what a checker or the grader left open."""
    decided = {one.test: one for one in overrides if isinstance(one, VerdictOverride)}
    if not decided:
        return graded
    results = (
        _decided(result, decided[result.test.id]) if result.test.id in decided else result for result in graded.results
    )
    return replace(graded, results=tuple(results))


def _decided(result: TestResult, override: VerdictOverride) -> TestResult:
    sentence = escape_controls(override.decision.sentence)
    before = result.judgement
    if override.verdict is Verdict.PASSED:
        notes = (*before.notes, Note(NoteKind.OVERRIDE, sentence))
        judgement = Judgement(
            verdict=Verdict.PASSED, divergence=None, diagnosis=None, notes=notes, score=override.score
        )
    else:
        diagnosis = Diagnosis(OVERRIDE, sentence)
        judgement = replace(before, verdict=override.verdict, diagnosis=diagnosis, score=override.score)
    return replace(result, judgement=judgement, overruled=Overridden(override, before))
