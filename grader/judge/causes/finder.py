"""A function that looks for causes in a failure says beside its name which causes it may find."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from grader.judge.evidence import FailureEvidence
from grader.model.cause import Cause
from grader.model.judgement import Diagnosis

Find: TypeAlias = Callable[[FailureEvidence], Diagnosis | None]
"""Gives the diagnosis of one failure, None when this is not what happened."""


@dataclass(frozen=True)
class CauseFinder:
    """Looks for `causes` in a failure; is called like the function that it wraps."""

    causes: tuple[Cause, ...]
    find: Find

    def __call__(self, evidence: FailureEvidence) -> Diagnosis | None:
        """The diagnosis of one failure, None when it is none of `causes`."""
        return self.find(evidence)


def finds(*causes: Cause) -> Callable[[Find], CauseFinder]:
    """Declare the causes that the decorated function may find."""
    return lambda find: CauseFinder(causes, find)
