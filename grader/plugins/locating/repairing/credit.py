"""Gives the partial credit of `partial: repair` for proved repairs.

Only the program's own text and the reference are used, and not the programs of other students, so the points do not
depend on who else is graded.
"""

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.errors import GraderError
from grader.expected.transcripts import ExpectedTranscripts
from grader.files.source_text import NoSourceError, source_text
from grader.grading.result_cache import OutcomeSource
from grader.model.assignment import Assignment
from grader.model.judgement import Judgement, Note, NoteKind, Verdict
from grader.model.partial_credit import PartialRepair
from grader.model.results import GradedSubmission, TestResult
from grader.plugins.locating.repairing.failing import MendedProgram, failing_programs
from grader.plugins.locating.repairing.finding import SearchResult
from grader.plugins.locating.repairing.kept import kept_result
from grader.plugins.locating.repairing.program_lines import read_source
from grader.plugins.locating.repairing.repairer import Repairer, read_accepted
from grader.text.sentence import Sentence, say
from grader.text.words import format_decimal

_NOTHING_FROM = Fraction(1, 3)
"""The share of the program's words and signs from which a repair earns nothing."""

_WORDS_AND_SIGNS = re.compile(r"\w+|[^\w\s]+")


class CancelledSearchError(GraderError):
    """The work was cancelled during a search, so the points are not known."""


def credit(
    assignment: Assignment, transcripts: ExpectedTranscripts, graded: GradedSubmission, outcomes: OutcomeSource
) -> GradedSubmission:
    """Return the results with the share of the points that a proved repair earns for each test that it mends.

    A test earns all its points times one minus three times the share of the program that the repair replaces, but not
    less than nothing. The share is that of the reference if it is shorter, so that code that never runs earns nothing.
    Raises CancelledSearchError and StoreError.
    """
    judgements: dict[str, Judgement] = {}
    repairer = Repairer(assignment=assignment, transcripts=transcripts, outcomes=outcomes, sessions=0)
    for program in failing_programs(assignment, graded):
        asking = [result for result in program.failed if _may_earn(result)]
        if asking:
            reference = _reference(assignment, program)
            searched = _search(program, reference, repairer)
            scale = None if reference is None else _Scale(_size(program.text), _size(reference))
            judgements |= {result.test.id: _with_share(result, scale, searched) for result in asking}
    return graded.with_results(
        lambda results: [
            replace(result, judgement=judgements.get(result.test.id, result.judgement)) for result in results
        ]
    )


def _may_earn(result: TestResult) -> bool:
    """Return whether a failed test asks for this credit, and allows it if the program was stopped."""
    partial = result.test.partial
    if partial is None or not isinstance(partial.way, PartialRepair):
        return False
    return result.verdict is Verdict.WRONG_OUTPUT or (partial.if_stopped and result.verdict.has_run)


@dataclass(frozen=True)
class _Scale:
    """The sizes of a program and of its reference, in words and signs."""

    program: int
    reference: int


def _reference(assignment: Assignment, program: MendedProgram) -> str | None:
    """Return the text of the reference, or None if there is none."""
    file = assignment.program_of[program.name].reference
    with suppress(NoSourceError):
        return source_text(file) if file.is_file() else None
    return None


def _search(program: MendedProgram, reference: str | None, repairer: Repairer) -> SearchResult:
    texts = [] if reference is None else [reference]

    def search() -> SearchResult:
        result = repairer.repair(program, read_accepted(texts))
        if repairer.outcomes.cancelled.is_set():
            raise CancelledSearchError(f"The search for a repair of {program.name} was cancelled.")
        return result

    archive = repairer.outcomes.archive
    return search() if archive is None else kept_result(archive, program, texts, search)


def _with_share(result: TestResult, scale: _Scale | None, searched: SearchResult) -> Judgement:
    repair = searched.repair
    if scale is None or repair is None or result.test.id not in repair.repaired_tests:
        return _scored(result.judgement, Fraction(0), _nothing(scale, searched))
    size = min(scale.program, scale.reference)
    share = max(Fraction(0), 1 - Fraction(repair.tokens, size) / _NOTHING_FROM)
    return _scored(result.judgement, share, _words(repair.tokens, scale, share))


def _size(text: str) -> int:
    """Return the number of words and signs, without comments if the program can be read."""
    with suppress(SyntaxError):
        return sum(len(source.line.tokens) for source in read_source(text))
    return len(_WORDS_AND_SIGNS.findall(text))


def _nothing(scale: _Scale | None, searched: SearchResult) -> Sentence:
    if scale is None:
        return say("Partial credit: changes are measured against a reference, and there is none, so nothing is earned.")
    if searched.out_of_time:
        return say("Partial credit: the search for a repair was not finished, so nothing is earned yet.")
    return say("Partial credit: no small change to the program makes this test pass, so nothing is earned.")


def _words(tokens: int, scale: _Scale, share: Fraction) -> Sentence:
    percent = f"{format_decimal(share * 100)} %"
    if scale.reference < scale.program:
        return say(
            "Partial credit: a change of {tokens} words and signs makes this test pass, which earns {percent} of the "
            "points. A solution has {size} words and signs.",
            tokens=tokens,
            percent=percent,
            size=scale.reference,
        )
    return say(
        "Partial credit: a change of {tokens} of {size} words and signs makes this test pass, "
        "which earns {percent} of the points.",
        tokens=tokens,
        size=scale.program,
        percent=percent,
    )


def _scored(judgement: Judgement, share: Fraction, words: Sentence) -> Judgement:
    return replace(judgement, score=share, notes=(*judgement.notes, Note(NoteKind.PARTIAL_CREDIT, words)))
