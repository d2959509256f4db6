"""Grades one submission: gets the outcomes of its tests, judges them, and chooses the variants."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from grader.errors import GraderError, plain_reason
from grader.expected.rationale import RuleReasons
from grader.expected.transcripts import ExpectedTranscripts
from grader.grading.best_variant import ChooseVariant, best_variant
from grader.grading.content_state import ContentState, content_state, submission_digest, without_results
from grader.grading.other_syntax import Readers, with_reader
from grader.grading.result_cache import Ask, OutcomeSource, answers_for
from grader.grading.rule_results import rule_results
from grader.grading.under_way import under_way
from grader.judge.calls import call_judge
from grader.judge.judge import AskChecker, judge, judge_by_checker, judge_sealed
from grader.judge.normalize import read_ahead_note, shown_late_note
from grader.judge.output_checks import judge_by_checks, judge_call_by_checks
from grader.judge.partial_credit import with_partial_credit
from grader.judge.side_output import judge_side_output
from grader.model.assignment import Assignment, Isolation
from grader.model.cause import CauseSubject
from grader.model.expectation import OutputChecks
from grader.model.expected_call import read_expected_call
from grader.model.general_causes import INTERNAL_ERROR, MISSING_FILE, NEEDS_REVIEW, NOT_RUN
from grader.model.interaction import Dialogue, FunctionCall, PluginInteraction, ReplSession, StdinRun
from grader.model.judgement import Diagnosis, Judgement, Verdict
from grader.model.outcome import Outcome, Termination
from grader.model.program import Program
from grader.model.results import GradedSubmission, TestResult
from grader.model.submission import Submission, SubmittedFile
from grader.model.test import Test, Visibility
from grader.run.find_python import StudentPython
from grader.store.stored_rows import StoreError
from grader.text.difference import FirstDifference, common_prefix, without_numbers
from grader.text.escape import escape_controls
from grader.text.patterns import SlowPatternError
from grader.text.sentence import Sentence, joined, say, say_plural

_ENDED_BY_ITSELF = (Termination.EXITED, Termination.SIGNALLED)
_UNSETTLED = Judgement.without_verdict(
    NEEDS_REVIEW,
    say(
        "A person must decide: the program failed, and passed when it was run again as a process of its own. "
        "What it prints depends on chance, on time or on how it is run."
    ),
)
"""The judgement for a program that passes only one of two runs, because a guess must not get two chances."""


@dataclass(frozen=True)
class TestOutcome:
    """A completed test and its outcome; `failed_before` holds the failed outcomes that led to another run."""

    test: Test
    outcome: Outcome
    failed_before: tuple[Outcome, ...] = ()


@dataclass(frozen=True)
class TestNotRun:
    """A test that was not run, and the judgement that explains why."""

    test: Test
    judgement: Judgement


TestSession: TypeAlias = TestOutcome | TestNotRun


def timeouts(program: str, sessions: Iterable[TestSession]) -> int:
    """Return how many of a program's `sessions` reached the time limit."""
    outcomes = (session for session in sessions if isinstance(session, TestOutcome) and session.test.program == program)
    return sum(session.outcome.ending is Termination.TIMED_OUT for session in outcomes)


def grade_submission(
    assignment: Assignment,
    tests: Sequence[Test],
    transcripts: ExpectedTranscripts,
    submission: Submission,
    outcomes: OutcomeSource,
    *,
    tick: Callable[[], None],
) -> GradedSubmission:
    """Run `tests` on `submission` and judge the outcomes; call `tick` after each test.

    A failure of the grader becomes an internal-error verdict for that test and does not affect the others.
    """
    sessions: dict[str, TestSession] = {}
    with open_grading(assignment, tests, transcripts, submission, outcomes) as grading:
        # Hidden tests run last, so that a program that remembers earlier tests cannot reveal them in a public test.
        for test in sorted(grading.tests, key=lambda test: test.visibility is Visibility.HIDDEN):
            with under_way(tick, submission.student, test.id):
                sessions[test.id] = _not_run(assignment, test, sessions.values()) or grading.run(test)
            tick()
    return grading.graded([sessions[test.id] for test in grading.tests])


def _not_run(assignment: Assignment, test: Test, sessions: Iterable[TestSession]) -> TestNotRun | None:
    """Return a judgement that skips the test if the assignment allows that and a timeout is likely, or None."""
    count, most = timeouts(test.program, sessions), assignment.stop_after_timeouts
    if most is None or count < most:
        return None
    sentence = say_plural(
        count,
        "Not run: {file} ran into the time limit in {count} other test.",
        "Not run: {file} ran into the time limit in {count} other tests.",
        file=test.program,
    )
    return TestNotRun(test, Judgement(verdict=Verdict.NOT_RUN, diagnosis=Diagnosis(NOT_RUN, sentence)))


@contextmanager
def open_grading(
    assignment: Assignment,
    tests: Sequence[Test],
    transcripts: ExpectedTranscripts,
    submission: Submission,
    outcomes: OutcomeSource,
    *,
    choose_variant: ChooseVariant = best_variant,
) -> Iterator["SubmissionGrading"]:
    """Yield an object that runs `tests` on `submission` and can then judge them. Raises OSError, StoreError."""
    tests = as_handed_in(assignment, submission, tests)
    files = files_of_runs(assignment, submission)
    startable = [test for test in tests if _file_of(submission, assignment.program_of[test.program])]
    ask_checker = answers_for(tests, outcomes).of
    state = content_state(submission.files)
    with outcomes.of(files, startable, assignment.limits) as ask:
        yield SubmissionGrading(
            assignment=assignment,
            tests=tests,
            transcripts=transcripts,
            submission=submission,
            state=state,
            lost=[file.name for file in submission.files if file not in files],
            ask=ask,
            ask_checker=ask_checker,
            has_forks=outcomes.has_forks,
            python=outcomes.python,
            choose_variant=choose_variant,
        )


def files_of_runs(assignment: Assignment, submission: Submission) -> tuple[SubmittedFile, ...]:
    """Return the files next to the programs: the provided modules, and the submission's readable files."""
    provided = (SubmittedFile(name, path) for path, name in assignment.provided_files)
    return (*provided, *(file for file in submission.files if os.access(file.path, os.R_OK)))


@dataclass(frozen=True, kw_only=True)
class SubmissionGrading:
    """The tests of one submission, run one at a time (possibly in several threads) and judged together."""

    assignment: Assignment
    tests: Sequence[Test]
    transcripts: ExpectedTranscripts
    submission: Submission
    state: ContentState
    lost: Sequence[str]
    """The names of the submission's files that cannot be read."""
    ask: Ask
    ask_checker: AskChecker
    has_forks: bool
    python: StudentPython
    choose_variant: ChooseVariant
    judged: dict[tuple[str, str], TestResult] = field(default_factory=dict)
    """The results computed so far, by test and variant."""
    readers: Readers = field(default_factory=dict)

    def run(self, test: Test) -> TestSession:
        """Run one of the tests."""
        program = self.assignment.program_of[test.program]
        if _file_of(self.submission, program) is None:
            refused = (self.submission.refused.get(name) for name in program.names)
            why = next(filter(None, refused), None)
            diagnosis = Diagnosis(MISSING_FILE, _missing(program) if why is None else f"{escape_controls(why)}.")
            return TestNotRun(test, Judgement(verdict=Verdict.MISSING_FILE, diagnosis=diagnosis))
        # Programs may import each other, so a lost file can make another program fail.
        if self.lost:
            sentence = say(
                "{files} was handed in, but cannot be read any more: was it moved, removed or closed?",
                files=", ".join(self.lost),
            )
            return TestNotRun(test, Judgement.without_verdict(INTERNAL_ERROR, sentence))
        try:
            return self._run(test)
        except StoreError:
            raise
        except Exception as error:
            sentence = say("The grader could not run this test: {error}", error=_error_words(error))
            return TestNotRun(test, Judgement.without_verdict(INTERNAL_ERROR, sentence))

    def _run(self, test: Test) -> TestSession:
        """Run a test; if it fails in a fork of a prepared interpreter, run it again in a separate process.

        With an interactor there is only one run, because a program that deals at random would play a different game.
        """
        isolation = possible_isolation(test, self.assignment.isolation, has_forks=self.has_forks)
        first = TestOutcome(test, self.ask(test, isolation))
        if isolation is Isolation.FRESH_PROCESS or first.outcome.ending not in _ENDED_BY_ITSELF:
            return first
        variants = self.assignment.program_of[test.program].variants
        if any(self.judged_as(first, variant).verdict is Verdict.PASSED for variant in variants):
            return first
        again = TestOutcome(test, self.ask(test, Isolation.FRESH_PROCESS), (first.outcome,))
        for variant in variants:
            result = self.judged.pop((test.id, variant))
            if again.outcome.is_like(first.outcome) and result.verdict is not Verdict.INTERNAL_ERROR:
                self.judged[test.id, variant] = replace(result, outcome=again.outcome)
        return again

    def verdict(self, session: TestSession) -> Verdict | None:
        """Return the verdict of a test, or None while it depends on a variant that other tests determine."""
        variants = self.assignment.program_of[session.test.program].variants
        verdicts = {self.judged_as(session, variant).verdict for variant in variants}
        return verdicts.pop() if len(verdicts) == 1 else None

    def graded(self, sessions: Sequence[TestSession]) -> GradedSubmission:
        """Choose the variants and judge all tests that were run."""
        results: dict[str, TestResult] = {}
        variants: dict[str, str] = {}
        for programs in self.assignment.variant_groups:
            names = {program.file for program in programs}
            relevant = [session for session in sessions if session.test.program in names]
            if relevant:
                judged = {
                    variant: [self.judged_as(session, variant) for session in relevant]
                    for variant in programs[0].variants
                }
                variant = self.choose_variant(judged, self.assignment.groups)
                variants.update((program.file, variant) for program in programs)
                results.update((session.test.id, self.result(session, variant)) for session in relevant)
        ordered = tuple(results[session.test.id] for session in sessions)
        graded = GradedSubmission(
            submission=self.submission,
            results=ordered,
            variants=variants,
            rules=rule_results(self.assignment, self.submission, ordered, self.python),
            digest=self.state.digest,
            python=self.python.in_use,
        )
        return graded if content_state(self.submission.files) == self.state else without_results(graded)

    def result(self, session: TestSession, variant: str) -> TestResult:
        """Return the result of a test when the program is judged as this variant."""
        judged = self.judged_as(session, variant)
        return self._unless_failing(session, lambda: self._explained(judged, variant))

    def judged_as(self, session: TestSession, variant: str) -> TestResult:
        """Return the same result without the explanations that no verdict needs: the rule, and Python's version."""
        key = session.test.id, variant
        if key not in self.judged:
            self.judged[key] = self._unless_failing(
                session, lambda: _judge_session(session, variant, self.transcripts, self.ask_checker)
            )
        return self.judged[key]

    def _explained(self, judged: TestResult, variant: str) -> TestResult:
        expected = self.transcripts.text(judged.test, variant)
        reasons = self.transcripts.reasons_of(judged.test, variant)
        rule = _rule_behind(judged.judgement, reasons, expected, judged.outcome)
        return with_reader(replace(judged, because=rule), self.submission, self.python.version, self.readers)

    def _unless_failing(self, session: TestSession, judge_test: Callable[[], TestResult]) -> TestResult:
        """Judge a test. If the grader fails, only this test lacks a verdict."""
        try:
            return judge_test()
        except StoreError:
            raise
        except Exception as error:
            sentence = say("The grader could not judge this test: {error}", error=_error_words(error))
            outcome = session.outcome if isinstance(session, TestOutcome) else None
            judgement = Judgement.without_verdict(INTERNAL_ERROR, sentence)
            return TestResult(test=session.test, judgement=judgement, outcome=outcome, expected="")


def possible_isolation(test: Test, preferred: Isolation, *, has_forks: bool) -> Isolation:
    """Return how to run a test; dialogues and function calls of Python programs can run in forks."""
    can_fork = has_forks and isinstance(test.interaction, Dialogue | FunctionCall) and test.recipe is None
    return preferred if can_fork else Isolation.FRESH_PROCESS


def as_handed_in(assignment: Assignment, submission: Submission, tests: Sequence[Test]) -> list[Test]:
    """Return the tests, using an alternative's way to run a program if that file was submitted."""
    return [_as_handed_in(assignment.program_of[test.program], submission, test) for test in tests]


def _as_handed_in(program: Program, submission: Submission, test: Test) -> Test:
    if not program.alternatives:
        return test
    recipes = {alternative.file: alternative.recipe for alternative in program.alternatives}
    file = _file_of(submission, program)
    return replace(test, recipe=recipes[file.name]) if file and file.name in recipes else test


def _missing(program: Program) -> Sentence:
    names = joined(say(" or "), [escape_controls(name) for name in program.names])
    return say("There is no file {files} in the submission.", files=names)


def _file_of(submission: Submission, program: Program) -> SubmittedFile | None:
    return next((file for name in program.names if (file := submission.file(name))), None)


def _error_words(error: Exception) -> str:
    """Describe an error, using only its message if it is an expected kind of error."""
    foreseen = isinstance(error, GraderError | OSError)
    return plain_reason(error) if foreseen else f"{type(error).__name__}: {escape_controls(str(error))}"


def ungraded(submission: Submission, tests: Sequence[Test], error: Exception) -> GradedSubmission:
    """Return a submission without verdicts, because the grader failed on it."""
    sentence = say("The grader failed on this submission: {error}", error=f"{type(error).__name__}: {error}")
    judgement = Judgement.without_verdict(INTERNAL_ERROR, sentence)
    results = tuple(TestResult(test=test, judgement=judgement, outcome=None, expected="") for test in tests)
    return GradedSubmission(
        submission=submission, results=results, variants={}, digest=submission_digest(submission.files)
    )


def _judge_session(
    session: TestSession, variant: str, transcripts: ExpectedTranscripts, ask_checker: AskChecker
) -> TestResult:
    test = session.test
    text = _expected_output(test, transcripts.text(test, variant))
    match session:
        case TestOutcome(outcome=outcome):
            judgement = _judge_output(session, variant, transcripts, ask_checker)
            judgement = judge_side_output(test, transcripts.side_output_of(test, variant), outcome, judgement)
            if session.failed_before and judgement.verdict is Verdict.PASSED:
                judgement = _UNSETTLED
            if judgement.verdict is Verdict.PASSED:
                judgement = _note_read_ahead(test, judgement, outcome, transcripts.reasons_of(test, variant).typed)
            return TestResult(test=test, judgement=judgement, outcome=outcome, expected=text)
        case TestNotRun(judgement=judgement):
            return TestResult(test=test, judgement=judgement, outcome=None, expected=text)


def _judge_output(
    session: TestOutcome, variant: str, transcripts: ExpectedTranscripts, ask_checker: AskChecker
) -> Judgement:
    """Return the judgement on the transcript, with partial credit."""
    test, outcome = session.test, session.outcome
    seal = transcripts.seal(test, variant)
    if seal is not None:
        return judge_sealed(test, seal, outcome)
    expected, typed = transcripts.text(test, variant), transcripts.reasons_of(test, variant).typed
    try:
        judgement = judge_outcome(test, expected, outcome, ask_checker)
        return with_partial_credit(test, expected, outcome, judgement, typed)
    except SlowPatternError as error:
        return Judgement.without_verdict(INTERNAL_ERROR, str(error))


def _note_read_ahead(test: Test, judgement: Judgement, outcome: Outcome, expected: Sequence[int]) -> Judgement:
    mended = judgement.mended
    if isinstance(test.interaction, Dialogue) and test.interaction.echo:
        note = shown_late_note(outcome)
    elif mended is not None and mended.open_texts:
        # Offsets cannot be compared, because the student's own text may have a different length.
        note = None
    else:
        note = read_ahead_note(expected, outcome.typed if mended is None else mended.typed)
    return judgement if note is None else replace(judgement, notes=(*judgement.notes, note))


def _rule_behind(judgement: Judgement, reasons: RuleReasons, expected: str, outcome: Outcome | None) -> str | None:
    telling, diagnosis, mended = judgement.telling, judgement.diagnosis, judgement.mended
    if outcome is None or telling is None or diagnosis is None or diagnosis.cause.about is not CauseSubject.CONTENT:
        return None
    line = mended.expected_line(telling.line) if mended else telling.line
    if diagnosis.cause.surplus is not None and _are_rows(telling):
        return reasons.at(replace(telling, line=line, column=1))
    # The line made by the rule comes later or is right, or the program prints nothing, which breaks no rule.
    if diagnosis.cause.surplus or (telling.expected and telling.actual is not None and not telling.actual.strip()):
        return None
    if diagnosis.cause.surplus is None:
        return reasons.at(replace(telling, line=line))
    missing = replace(telling, line=line, column=1, actual=None)
    rule, rule_before, rule_after = (reasons.at(replace(missing, line=line + step)) for step in (0, -1, 1))
    is_typed_before = any(outcome.transcript.count("\n", 0, typed.offset) == line - 2 for typed in outcome.typed)
    is_end = (rule_after is None or is_typed_before) and not outcome.unsent
    if rule == rule_before or (is_end and _is_cut_out(expected, outcome.transcript)):
        # The rule was followed: the previous line shows its effect, or only the end of an answer is missing.
        return None
    return rule


def _is_cut_out(expected: str, actual: str) -> bool:
    """Return whether text is missing in a single place and everything else is correct."""
    same = common_prefix(expected, actual)
    return len(actual) < len(expected) and expected.endswith(actual[same:])


def _are_rows(difference: FirstDifference) -> bool:
    """Return whether the difference is between two rows of a table that come from one rule."""
    expected, actual = difference.expected or "", difference.actual or ""
    return "|" in expected and without_numbers(expected) == without_numbers(actual)


def judge_outcome(test: Test, expected: str, outcome: Outcome, ask_checker: AskChecker) -> Judgement:
    """Judge the outcome of a test, given the content of its expected file."""
    match test.interaction:
        case FunctionCall() as call:
            if isinstance(test.expectation, OutputChecks):
                return judge_call_by_checks(test, call, test.expectation, expected, outcome)
            return call_judge().ask(test, call, read_expected_call(expected), outcome, ask_checker)
        case PluginInteraction() as other:
            return other.judge(test, outcome)
        case Dialogue() | ReplSession() | StdinRun():
            if test.checker is not None:
                return judge_by_checker(test, test.checker, expected, outcome, ask_checker)
            if isinstance(test.expectation, OutputChecks):
                return judge_by_checks(test, test.expectation.checks, expected, outcome)
            return judge(test, expected, outcome)


def _expected_output(test: Test, expected: str) -> str:
    """Return the expected output from the content of an expected file."""
    if isinstance(test.interaction, PluginInteraction):
        return ""
    is_call = isinstance(test.interaction, FunctionCall) and expected
    return read_expected_call(expected).printed if is_call else expected
