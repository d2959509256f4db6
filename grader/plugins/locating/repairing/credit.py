"""Gives the partial credit of `partial: repair` for proved repairs.

Only the program's own text and the reference are used, and not the programs of other students, so the points do not
depend on who else is graded.
"""

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from grader.expected.transcripts import ExpectedTranscripts
from grader.files.source_text import NoSourceError, source_text
from grader.grading.result_cache import OutcomeSource
from grader.grading.submission_step import CreditStep
from grader.model.assignment import Assignment
from grader.model.judgement import Judgement, Note, NoteKind, Verdict
from grader.model.partial_credit import PartialRepair
from grader.model.results import GradedSubmission, TestResult
from grader.plugins.locating.repairing.failing import MendedProgram, failing_programs
from grader.plugins.locating.repairing.finding import ProgramRepair, SearchResult
from grader.plugins.locating.repairing.kept import kept_result
from grader.plugins.locating.repairing.repairer import Repairer, read_accepted
from grader.text.sentence import Sentence, say
from grader.text.words import format_decimal

_NOTHING_FROM = Fraction(1, 3)
"""The share of the program's words and signs from which a repair earns nothing."""


def credit(
    assignment: Assignment, transcripts: ExpectedTranscripts, graded: GradedSubmission, outcomes: OutcomeSource
) -> GradedSubmission:
    """Return the results with the share of the points that a proved repair earns for each test that it mends.

    A test earns all its points times one minus three times the share of the program that the repair replaces, but not
    less than nothing. Raises StoreError.
    """
    judgements: dict[str, Judgement] = {}
    repairer = Repairer(assignment=assignment, transcripts=transcripts, outcomes=outcomes)
    for program in failing_programs(assignment, graded):
        asking = [result for result in program.failed if _may_earn(result)]
        if asking:
            searched = _search(program, repairer)
            judgements |= {result.test.id: _with_share(result, program, searched) for result in asking}
    return graded.with_results(
        lambda results: [
            replace(result, judgement=judgements.get(result.test.id, result.judgement)) for result in results
        ]
    )


REPAIR = CreditStep(credit=credit)


def _may_earn(result: TestResult) -> bool:
    """Return whether a failed test asks for this credit; a program that was stopped earns it only if the test says so."""
    partial = result.test.partial
    if partial is None or not isinstance(partial.way, PartialRepair):
        return False
    return result.verdict is Verdict.WRONG_OUTPUT or partial.if_stopped


def _search(program: MendedProgram, repairer: Repairer) -> SearchResult:
    texts = []
    reference = repairer.assignment.program_of[program.name].reference
    with suppress(NoSourceError):
        texts = [source_text(reference)] if reference.is_file() else []

    def search() -> SearchResult:
        return repairer.repair(program, read_accepted(texts))

    archive = repairer.outcomes.archive
    return search() if archive is None else kept_result(archive, program, texts, search)


def _with_share(result: TestResult, program: MendedProgram, searched: SearchResult) -> Judgement:
    repair = searched.repair
    if repair is None or result.test.id not in repair.repaired_tests:
        return replace(result.judgement, score=Fraction(0), notes=(*result.judgement.notes, _note(_nothing(searched))))
    replaced = Fraction(repair.tokens, max(program.size, 1))
    share = max(Fraction(0), 1 - replaced / _NOTHING_FROM)
    return replace(
        result.judgement, score=share, notes=(*result.judgement.notes, _note(_words(repair, program, share)))
    )


def _nothing(searched: SearchResult) -> Sentence:
    if searched.out_of_time:
        return say("Partial credit: the search for a repair was not finished, so nothing is earned yet.")
    return say("Partial credit: no small change to the program makes this test pass, so nothing is earned.")


def _words(repair: ProgramRepair, program: MendedProgram, share: Fraction) -> Sentence:
    return say(
        "Partial credit: a change of {tokens} of {size} words and signs of the program makes this test pass, "
        "which earns {percent} of the points.",
        tokens=repair.tokens,
        size=program.size,
        percent=f"{format_decimal(share * 100)} %",
    )


def _note(sentence: Sentence) -> Note:
    return Note(NoteKind.PARTIAL_CREDIT, sentence)
