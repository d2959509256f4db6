"""Groups the failing submissions of a class by the mistakes they share.

A failing test shows signs of the mistakes behind it. A program's output is the same in every run of a test, so
differing lines can be compared directly. All of them count, not just the first, because a second mistake may show up
before it. Only details that depend on the program's own text are removed, namely names, numbers and the line of code in
errors.

Students with exactly the same signs form the first groups, and these signs characterise the mistake. Another student
joins a group if they show at least half of its signs, not counting signs that another group already explains. A student
with two mistakes is therefore in two groups. Neither an extra misspelling nor a sign that two mistakes share puts a
student in the wrong group.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from grader.judge.line_diff import blocks
from grader.judge.stack_trace import telling_traceback
from grader.model.general_causes import OUTPUT_CHECK, SEALED
from grader.model.judgement import Verdict
from grader.model.results import ClassResult, ComparedTranscript, GradedSubmission, GroupComment, TestResult
from grader.text.difference import lines_of

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_QUOTED = re.compile(r"'[^'\n]*'|`[^`\n]*`|\"[^\"\n]*\"")
_NAMED = re.compile(r"(?<=function )\w+|\b\w+(?=\(\))")
_LONGEST = 500
_MAX_LINES = 2000
_MAX_SIGNS = 20
_IN_COMMON = 0.5
_PRINTS = frozenset(
    {Verdict.WRONG_OUTPUT, Verdict.CRASH, Verdict.RUNTIME_ERROR, Verdict.EXIT_STATUS, Verdict.BUILD_ERROR}
)


@dataclass(frozen=True)
class FailureSignature:
    """A fault in a test: differing lines, or the way the program ended."""

    test: str
    kind: str
    expected: str
    actual: str

    @cached_property
    def digest(self) -> str:
        """Return a short name for the sign, which is the same in every run."""
        words = [self.test, self.kind, self.expected, self.actual]
        return hashlib.sha256(json.dumps(words).encode()).hexdigest()[:8]


def signs_of(result: TestResult) -> tuple[FailureSignature, ...]:
    """Return the signs of a failed test in the order in which they appear; there is always at least one."""
    judgement, outcome = result.judgement, result.outcome
    cause = judgement.diagnosis.cause.id if judgement.diagnosis else ""
    name = result.test.id
    if result.verdict is Verdict.CRASH and outcome:
        trace = telling_traceback(result.test, outcome.errors or outcome.transcript)
        return (FailureSignature(name, result.verdict, "", _plain(f"{trace.error}: {trace.message}") if trace else ""),)
    if judgement.differences:
        return tuple(
            FailureSignature(name, result.verdict, "", difference[:_LONGEST]) for difference in judgement.differences
        )
    if result.compared:
        return tuple(FailureSignature(name, "lines", *sides) for sides in islice(_lines(result.compared), _MAX_SIGNS))
    if judgement.divergence:
        sides = judgement.divergence.expected or "", judgement.divergence.actual or ""
        return (FailureSignature(name, "lines", sides[0][:_LONGEST], sides[1][:_LONGEST]),)
    sentence = _plain(judgement.diagnosis.sentence) if judgement.diagnosis else ""
    if outcome and judgement.diagnosis and judgement.diagnosis.cause in (OUTPUT_CHECK, SEALED):
        # The sentence only says that something is missing, which any mistake can cause. The output is more specific.
        sentence = f"{hashlib.sha256(outcome.transcript.encode(errors='replace')).hexdigest()[:16]} {sentence}"
    return (FailureSignature(name, f"{result.verdict} {cause}", "", sentence[:_LONGEST]),)


def _lines(compared: ComparedTranscript) -> Iterator[tuple[str, str]]:
    """Yield the expected lines with the lines printed instead: in pairs if the counts match, otherwise all together."""
    expected, actual = (lines_of(text)[:_MAX_LINES] for text in (compared.expected, compared.actual))
    has_difference = False
    for block in blocks(expected, actual):
        if block.is_equal:
            continue
        has_difference = True
        lines = expected[block.expected.start : block.expected.stop]
        others = actual[block.actual.start : block.actual.stop]
        if len(lines) == len(others):
            pairs = [pair for pair in zip(lines, others, strict=True) if pair[0] != pair[1]]
        else:
            pairs = [("\n".join(lines), "\n".join(others))]
        yield from ((line[:_LONGEST], other[:_LONGEST]) for line, other in pairs)
    if not has_difference:
        yield compared.divergence.expected or "", compared.divergence.actual or ""


def _plain(text: str) -> str:
    return _NUMBER.sub("0", _NAMED.sub("…", _QUOTED.sub("'…'", text)))[:_LONGEST]


@dataclass(frozen=True)
class SignatureMatch:
    """A sign, and the students of a group who show it, in alphabetical order."""

    sign: FailureSignature
    students: tuple[str, ...]


@dataclass(frozen=True)
class FailureGroup:
    """Students who seem to have made the same mistake, in alphabetical order, and its signs.

    The first of `showings` is the typical one: the most common sign, if possible one that no other mistake shows.
    """

    students: tuple[str, ...]
    showings: tuple[SignatureMatch, ...]

    @property
    def id(self) -> str:
        """Return the name of the group, which is the name of its first sign."""
        return self.showings[0].sign.digest

    @property
    def tests(self) -> tuple[str, ...]:
        """Return the tests in which the mistake appears, starting with the tests that most students fail."""
        return tuple(dict.fromkeys(showing.sign.test for showing in self.showings))

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the names of all its signs; any one of them identifies the group."""
        return frozenset(showing.sign.digest for showing in self.showings)

    def has(self, sign_digest: str) -> bool:
        """Return whether one of the signs has this name."""
        return sign_digest in self.names


def groups_of(submissions: Iterable[GradedSubmission]) -> tuple[FailureGroup, ...]:
    """Return the groups of a class, the largest first.

    A fault of the grader does not belong to any group. Every other student who fails a test is in a group.
    """
    # Many submissions show the same signs, or none at all.
    same: dict[frozenset[FailureSignature], frozenset[FailureSignature]] = {}
    shown = ((submission.submission.student, all_signs(submission)) for submission in submissions)
    return groups_by_signs({student: same.setdefault(signs, signs) for student, signs in shown})


def all_signs(submission: GradedSubmission) -> frozenset[FailureSignature]:
    """Return the signs of all tests that a submission fails."""
    return frozenset(
        sign
        for result in submission.results
        if result.verdict not in (Verdict.PASSED, Verdict.INTERNAL_ERROR, Verdict.NOT_RUN)
        for sign in signs_of(result)
    )


def groups_by_signs(shown: Mapping[str, frozenset[FailureSignature]]) -> tuple[FailureGroup, ...]:
    """Return the groups of students, given the signs that each of them shows; see `groups_of`."""
    profiles = {student: signs for student, signs in shown.items() if signs}
    mistakes = _mistakes(profiles.values())
    members: dict[int, list[str]] = {}
    for student in sorted(profiles):
        for index in _explained_by(profiles[student], mistakes):
            members.setdefault(index, []).append(student)
    in_how_many = Counter(sign for index in members for sign in mistakes[index])
    groups = [_group(mistakes[index], students, profiles, in_how_many) for index, students in members.items()]
    return tuple(sorted(groups, key=lambda group: (-len(group.students), -len(group.showings), group.id)))


def students_by_mistake(submissions: Iterable[GradedSubmission]) -> list[tuple[str, Sequence[str]]]:
    """Return the mistakes that findings name and several students made, the most common first, with the students."""
    students: dict[str, list[str]] = {}
    for graded in submissions:
        for mistake in {mistake: None for finding in graded.findings for mistake in finding.mistakes()}:
            students.setdefault(mistake, []).append(graded.submission.student)
    shared = [(mistake, names) for mistake, names in students.items() if len(names) > 1]
    return sorted(shared, key=lambda item: (-len(item[1]), item[0]))


def shared_groups(groups: Iterable[FailureGroup]) -> list[FailureGroup]:
    """Return the groups with more than one student."""
    return [group for group in groups if len(group.students) > 1]


def example_of(group: FailureGroup, by_student: Mapping[str, GradedSubmission]) -> TestResult:
    """Return a result that represents the group: its first student's, in the test that most of its students fail."""
    showing = group.showings[0]
    return _result(by_student[showing.students[0]], showing.sign.test)


def printed_the_same(
    group: FailureGroup, example: TestResult, submissions: Mapping[str, GradedSubmission]
) -> Sequence[str]:
    """Return the students of a group whose wrong output is the same as the example's; empty if nothing was printed.

    A sign leaves out the names in an error, so errors are compared in full here.
    """
    if example.verdict not in _PRINTS:
        return ()
    students = group.showings[0].students
    if example.verdict is not Verdict.CRASH:
        return students
    error = _error(example)
    return [name for name in students if _error(_result(submissions[name], example.test.id)) == error]


def _error(result: TestResult) -> str:
    """Return the error that ended the program, as printed."""
    output = result.outcome.errors or result.outcome.transcript if result.outcome else ""
    trace = telling_traceback(result.test, output)
    return f"{trace.error}: {trace.message}" if trace else ""


def _result(graded: GradedSubmission, test: str) -> TestResult:
    return next(result for result in graded.results if result.test.id == test)


def _mistakes(profiles: Iterable[frozenset[FailureSignature]]) -> list[frozenset[FailureSignature]]:
    """Return the signs of each mistake: first the sets that students share exactly, then any signs that remain."""
    alike = Counter(profiles)
    order = {
        profile: (-count, len(profile), sorted(sign.digest for sign in profile)) for profile, count in alike.items()
    }
    mistakes: list[frozenset[FailureSignature]] = []
    for profile in sorted(alike, key=order.__getitem__):
        explained = frozenset[FailureSignature]().union(
            *(mistakes[index] for index in _explained_by(profile, mistakes))
        )
        unexplained = profile - explained
        if len(unexplained) > _IN_COMMON * len(profile):
            mistakes.append(profile if alike[profile] > 1 else unexplained)
    return mistakes


def _explained_by(profile: frozenset[FailureSignature], mistakes: Sequence[frozenset[FailureSignature]]) -> list[int]:
    """Return the mistakes a student shows at least half of, not counting signs that earlier mistakes explain."""
    shown = {index: len(profile & signs) for index, signs in enumerate(mistakes)}
    explained: set[FailureSignature] = set()
    chosen = []
    for index in sorted(shown, key=lambda index: (-shown[index], len(mistakes[index]))):
        new_signs = (mistakes[index] & profile) - explained
        if new_signs and len(new_signs) >= _IN_COMMON * len(mistakes[index]):
            chosen.append(index)
            explained |= new_signs
    return chosen


def _group(
    signs: frozenset[FailureSignature],
    students: Sequence[str],
    profiles: dict[str, frozenset[FailureSignature]],
    in_how_many: Counter[FailureSignature],
) -> FailureGroup:
    shown = {sign: tuple(name for name in students if sign in profiles[name]) for sign in signs}
    showings = [SignatureMatch(sign, names) for sign, names in shown.items() if names]
    showings.sort(
        key=lambda showing: (in_how_many[showing.sign], -len(showing.students), showing.sign.test, showing.sign.digest)
    )
    return FailureGroup(tuple(students), tuple(showings))


def group_called(groups: Iterable[FailureGroup], name: str) -> FailureGroup | None:
    """Return the group with this name, or else the first group with a sign of this name; None if there is neither."""
    return min((group for group in groups if group.has(name)), key=lambda group: group.id != name, default=None)


def with_comments(graded: ClassResult, comments: Sequence[GroupComment]) -> ClassResult:
    """Give each comment to the students of its group; a comment on a group that no longer exists becomes a note.

    A group keeps its name as long as any student shows the sign that it is named after.
    """
    if not comments:
        return graded
    return with_group_comments(graded, comments, groups_of(row.graded for row in graded.rows))


def with_group_comments(
    graded: ClassResult, comments: Sequence[GroupComment], groups: Sequence[FailureGroup]
) -> ClassResult:
    """Return the class with the comments on its groups, given the groups."""
    named: dict[str, list[FailureGroup]] = {}
    for group_of_class in groups:
        for showing in group_of_class.showings:
            named.setdefault(showing.sign.digest, []).append(group_of_class)
    comments_of: dict[str, list[str]] = {}
    notes: list[str] = []
    current: list[GroupComment] = []
    for comment in comments:
        group = group_called(named.get(comment.group, ()), comment.group)
        if group is None:
            notes.append(f"{comment.place}: there is no group {comment.group} any more; `grader insight` lists them")
            continue
        current.append(comment)
        for student in group.students:
            comments_of.setdefault(student, []).append(comment.text)
    rows = (replace(row, comments=tuple(comments_of.get(row.student, ()))) for row in graded.rows)
    return replace(graded, rows=tuple(rows), notes=(*graded.notes, *notes), comments=tuple(current))
