"""Each cause is named where it should be, and only there, in words that a student understands."""

import re

import pytest

from grader.judge.causes.diagnose import all_finders, diagnose
from grader.judge.evidence import FailureEvidence
from grader.judge.judge import judge
from grader.model.cause import CauseSubject
from grader.model.general_causes import MISSING_FILE, NOT_RUN
from grader.model.judgement import Diagnosis, Judgement, Verdict
from tests.judge.causes.examples import EXAMPLES, Example
from tests.judge.causes.failures import Failure
from tests.judge.causes.finders import FINDERS, GIVEN_WITHOUT_FINDER
from tests.judge.causes.test_diagnose import FAILURES

LONGEST = 160
NOT_FOR_STUDENTS = re.compile(
    r"\b(pty|pseudo-terminal|subprocess|transcripts?|digests?|regex|regular expression|diff|divergence|"
    r"verdict|normali[sz]e[ds]?|stdin|stdout|stderr|"
    r"blanks|blank(?! lines?\b)|line ends?|empty lines?|too much|besides|whoever)\b"
)
QUOTED = re.compile(r"`[^`\n]*`")
PYTHON_SAYS = re.compile(r"\b\w+Error\b.*$")


def cause_of(judgement: Judgement) -> str:
    return judgement.diagnosis.cause.id if judgement.diagnosis else "passed"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.cause.id)
def test_a_session_shows_the_cause_and_a_close_one_does_not(example: Example) -> None:
    assert (cause_of(example.shows), cause_of(example.close)) == (example.cause.id, example.instead)
    assert example.cause.id != example.instead


def test_every_cause_has_one_example() -> None:
    """Tests of `grader grade` show the others, which are seen before there is a session."""
    core = {*GIVEN_WITHOUT_FINDER, *(cause for finder in FINDERS for cause in finder.causes)}
    assert sorted(example.cause.id for example in EXAMPLES) == sorted(
        {cause.id for cause in core} - {MISSING_FILE.id, NOT_RUN.id}
    )


def test_a_limit_is_a_cause_of_verdicts_on_limits_alone() -> None:
    verdicts = {verdict for verdict in Verdict if verdict.endswith("-limit")} | {Verdict.TIMEOUT}
    for example in EXAMPLES:
        is_limit = example.cause.about is CauseSubject.LIMIT
        assert is_limit == (example.shows.verdict in verdicts), example.cause.id


def sentences() -> list[str]:
    judged = [judge(failure.test, failure.expected, failure.outcome) for failure in FAILURES]
    judged += [judgement for example in EXAMPLES for judgement in (example.shows, example.close)]
    return sorted({judgement.diagnosis.sentence for judgement in judged if judgement.diagnosis})


@pytest.mark.parametrize("sentence", sentences())
def test_a_sentence_is_short_and_in_plain_words(sentence: str) -> None:
    refuse_long_words(sentence)


def refuse_long_words(sentence: str) -> None:
    own_words = PYTHON_SAYS.sub("", QUOTED.sub("", sentence))
    assert len(own_words) <= LONGEST
    assert not NOT_FOR_STUDENTS.search(own_words)


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: failure.id)
def test_a_finder_finds_only_what_it_declares(failure: Failure, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[FailureEvidence] = []

    def keep(evidence: FailureEvidence) -> Diagnosis:
        seen.append(evidence)
        return diagnose(evidence)

    monkeypatch.setattr("grader.judge.judge.diagnose", keep)
    judged = judge(failure.test, failure.expected, failure.outcome).diagnosis
    assert judged is not None
    assert judged.sentence
    [evidence] = seen
    finder, diagnosis = next((finder, found) for finder in all_finders() if (found := finder(evidence)))
    assert diagnosis.cause in finder.causes
