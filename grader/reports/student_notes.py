"""Notes for staff about the submissions of a class."""

from collections.abc import Iterator, Sequence

from grader.grading.student_result import override_words, unused_override_words
from grader.model.judgement import NoteKind, Verdict
from grader.model.results import ClassResult, GradedSubmission, StudentResult
from grader.reports.words import cost_words, variant_words
from grader.text.sentence import Sentence
from grader.text.words import pluralize, some_of

_MAX_EVIDENCE = 3
_MAX_NAMED = 5
_SHARED_BY = 3


def grouped_notes(graded: ClassResult) -> Iterator[str]:
    """Yield the notes about a class as lines: first the notes that students share, then a line per other student."""
    notes = {row.label: notes_of(row, graded) for row in graded.rows}
    students: dict[str, list[str]] = {}
    for label, notes_of_student in notes.items():
        for note in notes_of_student:
            students.setdefault(note, []).append(label)
    shared = {note: labels for note, labels in students.items() if len(labels) >= _SHARED_BY}
    for note, labels in shared.items():
        yield f"{len(labels)} students: {note}: {some_of(labels, _MAX_NAMED)}"
    for label, notes_of_student in notes.items():
        if others := [note for note in notes_of_student if note not in shared]:
            yield f"{label}: {'; '.join(others)}"


def notes_of(row: StudentResult, graded: ClassResult) -> list[str]:
    """Return the oddities of a submission: intake notes, variants, open decisions, and tests to rerun."""
    submission = row.graded
    notes = list(map(_with_remedy, submission.submission.notes))
    notes += variant_words(graded.assignment, submission)
    notes += _read_ahead(submission)
    notes += [f"special consideration: {row.granted.reason}"] if row.granted.reason else []
    notes += (f"override: {override_words(override)}" for override in row.overrides)
    notes += (f"override {unused_override_words(override)}" for override in row.unfit)
    notes += late_day_words(row)
    kept_rules = [result.rule.id for result in row.graded.rules if result.kept]
    notes += (f"{rule} is confirmed, but kept: it costs nothing" for rule in kept_rules if rule in row.manual.confirmed)
    for result in row.to_confirm:
        evidence = "; ".join(str(finding) for finding in result.findings[:_MAX_EVIDENCE])
        notes.append(f"to confirm or waive: {result.rule.id} ({result.rule.title}), {cost_words(result)}: {evidence}")
    if row.mark is None and not row.granted.excused:
        notes += _why_no_mark(row)
    return notes


def _with_remedy(note: str) -> str:
    """Add to a note about a file with a similar name how to accept the file."""
    if not isinstance(note, Sentence) or note.value("other") is None:
        return note
    accepting = note.value("accepting")
    key = f", or set `submissions: {{names: {accepting}}}` in assignment.yaml" if accepting else ""
    return f"{note} (to accept it, rename it in the submission{key})"


def _read_ahead(submission: GradedSubmission) -> Iterator[str]:
    """Yield a note about tests that a person could not have played, as input is read before the question appears."""
    kinds = {result.test.id: {note.kind for note in result.judgement.notes} for result in submission.results}
    tests = [test_id for test_id, note_kinds in kinds.items() if NoteKind.READ_AHEAD in note_kinds]
    if tests:
        named = _some_tests(tests)
        yield f"reads input before it prints what comes before it, which is no fault in these tests: {named}"


def _why_no_mark(row: StudentResult) -> Iterator[str]:
    submission = row.graded
    undecided = [result.test.id for result in submission.results if result.judgement.needs_review]
    failed = [result.test.id for result in submission.results if result.verdict is Verdict.INTERNAL_ERROR]
    waiting = [result.test.id for result in submission.results if result.judgement.waits_for_another]
    reruns = [test_id for test_id in failed if test_id not in (*undecided, *waiting)]
    if undecided:
        yield f"no mark yet, a person must decide these tests: {_some_tests(undecided)}"
    if reruns:
        yield f"no mark yet, these tests must be rerun (internal-error): {_some_tests(reruns)}"
    rules = [result.rule.id for result in submission.undecided_rules if result.rule.points]
    if rules:
        yield f"no mark yet, the grader could not check these rules (or you decide the mark): {_some_tests(rules)}"
    if failed or rules:
        return
    if submission.submission.submitted is None and submission.raw:
        yield "no mark yet, the time of the submission is not known"
    elif row.not_yet_marked:
        yield f"no mark yet, not yet marked: {', '.join(item.id for item in row.not_yet_marked)}"


def late_day_words(row: StudentResult) -> list[str]:
    """Return a phrase with the number of late days that the assignment took from the student's bank."""
    if row.mark is None or row.mark.bank_used == 0:
        return []
    return [f"takes {pluralize(row.mark.bank_used, 'late day')} from the bank, {row.mark.bank_left} left"]


def _some_tests(tests: Sequence[str]) -> str:
    return some_of(tests, _MAX_NAMED)
