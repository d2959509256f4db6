"""Proved repairs of a student's programs, for results.json and the instructor's page of the student."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from difflib import unified_diff
from typing import Any

from grader.model.finding import Finding, FindingView, PageSection
from grader.model.submission import Submission
from grader.text.words import pluralize


@dataclass(frozen=True, kw_only=True)
class ProgramRepair:
    """A change to `program` with which the tests in `repaired_tests` pass, and every test that passed before.

    `changes` describes each edit in words, and `mistake` all of them with the names of the reference. `tokens` counts
    the changed words and signs, and `diff` shows the change in the student's code. `failing` counts the tests that
    still fail, and `shared_with` names the other students with the same mistake. If `smaller_untried`, the search ended
    at its limit before all smaller changes were tried. If all tests pass, random `sessions` are played too; if it
    `differs` from the reference in one of them, the repair is proved on the tests only.
    """

    program: str
    changes: tuple[str, ...]
    mistake: str
    tokens: int
    diff: str
    repaired_tests: tuple[str, ...]
    failing: int
    shared_with: tuple[str, ...] = ()
    smaller_untried: bool = False
    sessions: int = 0
    differs: bool = False


@dataclass(frozen=True)
class SearchResult:
    """The result of a search: the repair, if there is one, and whether the time ended before the tries did."""

    repair: ProgramRepair | None
    out_of_time: bool = False


@dataclass(frozen=True)
class Repairs(Finding):
    """The repairs of a submission's programs, for the instructor alone.

    `out_of_time` names the programs for which the search was not finished, because it was cancelled or the machine was
    too slow; `remark` says for which students of the class that is so.
    """

    programs: tuple[ProgramRepair, ...]
    out_of_time: tuple[str, ...] = ()
    remark: str = ""

    def results(self) -> Mapping[str, Any]:
        """Return the repair of each program, and the programs whose search was not finished."""
        unfinished = {"repairs_unfinished": list(self.out_of_time)} if self.out_of_time else {}
        return {"repairs": [asdict(repair) for repair in self.programs], **unfinished}

    def note(self) -> str:
        """Say for which students the search was not finished."""
        return self.remark

    def mistakes(self) -> Sequence[str]:
        """Return the mistakes that the repairs correct."""
        return [repair.mistake for repair in self.programs]

    def view(self, _submission: Submission) -> FindingView:
        """Return a section with the repairs."""
        content = [(repair, repair_words(repair)) for repair in self.programs]
        section = PageSection(
            id="repairs",
            title="A change that repairs the program",
            template="grader.plugins.locating:repairs.html",
            content={"repairs": content, "out_of_time": self.out_of_time},
            private=True,
        )
        return FindingView(section=section)


def repair_words(repair: ProgramRepair) -> str:
    """Say how many tests pass with the repair."""
    tests = f"{pluralize(len(repair.repaired_tests), 'failed test')} {_verb(len(repair.repaired_tests), 'pass')}"
    rest = f" {pluralize(repair.failing, 'other test')} still {_verb(repair.failing, 'fail')}."
    limit = " The search ended at its limit before all smaller changes were tried." if repair.smaller_untried else ""
    proof = f"With this change {tests}, and no test that passed fails.{rest if repair.failing else ''}"
    return f"{proof}{_session_words(repair)}{limit}"


def _session_words(repair: ProgramRepair) -> str:
    if repair.differs:
        return " It is proved on the tests only: in a random session, the program differs from the reference."
    if repair.sessions:
        return f" The program also agrees with the reference in {pluralize(repair.sessions, 'random session')}."
    return ""


def _verb(count: int, verb: str) -> str:
    singular = f"{verb}es" if verb.endswith("s") else f"{verb}s"
    return singular if count == 1 else verb


def code_diff(name: str, text: str, repaired: str) -> str:
    """Return the difference between the student's code and the repaired code as a unified diff."""
    lines = text.splitlines(), repaired.splitlines()
    return "\n".join(unified_diff(*lines, name, f"{name}, repaired", n=2, lineterm=""))


def with_others(repairs: Mapping[str, Repairs]) -> Mapping[str, Repairs]:
    """Add to each repair the other students with the same mistake."""
    students: dict[str, list[str]] = defaultdict(list)
    for student, of_student in repairs.items():
        for mistake in of_student.mistakes():
            students[mistake].append(student)

    def shared(student: str, repair: ProgramRepair) -> ProgramRepair:
        others = tuple(name for name in students[repair.mistake] if name != student)
        return replace(repair, shared_with=others)

    return {
        student: replace(of_student, programs=tuple(shared(student, repair) for repair in of_student.programs))
        for student, of_student in repairs.items()
        if of_student.programs or of_student.out_of_time
    }
