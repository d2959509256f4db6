"""How many of the submissions that pass all tests were found to be wrong by random sessions."""

from dataclasses import dataclass

from grader.model.results import ClassResult
from grader.reports.probing import ProbedSubmissions


@dataclass(frozen=True)
class ProbingShare:
    """The number of `accepted` submissions of a class that were probed, and how many of them differ."""

    accepted: int
    probed: int
    differing: int
    sessions: int


def probing_share(graded: ClassResult, probed: ProbedSubmissions) -> ProbingShare:
    """Count the probed submissions among the submissions that pass all tests, once per student."""
    accepted = [row.graded for row in graded.rows if row.graded.passes_all_tests]
    differences = [probed.differs[submission.digest] for submission in accepted if submission.digest in probed.differs]
    return ProbingShare(len(accepted), len(differences), sum(differences), probed.sessions)
