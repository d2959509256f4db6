"""Gives repairs of the same mistake the same words, though programs that are written differently need other changes.

Two repairs correct the same mistake if the programs fail the same tests in exactly the same way, and if the changes
have a name, number, text or comparison in common. A mistake has the words that most of its repairs have.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from grader.analysis.failure_groups import signs_of
from grader.model.judgement import Verdict
from grader.model.results import ClassResult, GradedSubmission
from grader.plugins.locating.repairing.finding import ProgramRepair, Repairs

_CODE = re.compile(r"`([^`]*)`")
_TELLING = re.compile(r"\"[^\"]*\"|'[^']*'|\w+|[<>=!]=|[<>]")
_KEYWORDS = frozenset(("def", "if", "else", "elif", "for", "while", "return", "in", "self", "int", "void", "continue"))

_Placed: TypeAlias = tuple[str, ProgramRepair]
"""A student, and a repair of one of the student's programs."""


def with_shared_words(repairs: Mapping[str, Repairs], graded: ClassResult) -> Mapping[str, Repairs]:
    """Return the repairs of a class by student, with the words that all repairs of the same mistake share."""
    submissions = {row.student: row.graded for row in graded.rows}
    alike: dict[object, list[_Placed]] = defaultdict(list)
    for student, of_student in repairs.items():
        for repair in of_student.programs:
            alike[repair.program, _signs(submissions[student], repair.program)].append((student, repair))
    words: dict[tuple[str, str], str] = {}
    for placed in alike.values():
        for mistake in _mistakes(placed):
            shared = _most_common([repair.mistake for _, repair in mistake])
            words |= {(student, repair.program): shared for student, repair in mistake}
    return {
        student: replace(
            of_student,
            programs=tuple(replace(repair, mistake=words[student, repair.program]) for repair in of_student.programs),
        )
        for student, of_student in repairs.items()
    }


def _signs(graded: GradedSubmission, program: str) -> frozenset[object]:
    """Return how the tests of a program fail."""
    failed = (
        result for result in graded.results if result.test.program == program and result.verdict is not Verdict.PASSED
    )
    return frozenset(sign for result in failed for sign in signs_of(result))


def _mistakes(placed: Sequence[_Placed]) -> Iterator[Sequence[_Placed]]:
    """Yield the repairs of each mistake, of repairs of programs that fail alike."""
    mistakes: list[tuple[list[_Placed], frozenset[str]]] = []
    for student, repair in placed:
        telling = _telling(repair)
        near = [mistake for mistake in mistakes if mistake[1] & telling or mistake[0][0][1].mistake == repair.mistake]
        mistakes = [mistake for mistake in mistakes if mistake not in near]
        members = [member for mistake in near for member in mistake[0]]
        mistakes.append(([*members, (student, repair)], telling.union(*(tokens for _, tokens in near))))
    yield from (members for members, _ in mistakes)


def _telling(repair: ProgramRepair) -> frozenset[str]:
    """Return the names, numbers, texts and comparisons in the changed code."""
    codes = _CODE.findall(repair.mistake)
    return frozenset(token.replace("'", '"') for code in codes for token in _TELLING.findall(code)) - _KEYWORDS


def _most_common(words: Sequence[str]) -> str:
    counts = Counter(words)
    return min(counts, key=lambda mistake: (-counts[mistake], len(mistake), mistake))
