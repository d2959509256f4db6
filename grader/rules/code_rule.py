"""The base classes of code rules: a rule is a frozen dataclass whose fields are its options."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from grader.model.judgement import Verdict
from grader.model.rule import RuleFinding
from grader.model.test import Test
from grader.rules.source import ParsedSource


class CodeRule(ABC):
    """A code rule: a SourceRule or a HiddenTestRule.

    `name` selects it in assignment.yaml. `broken_by` tells authors of assignments when the rule is broken.
    """

    name: ClassVar[str]
    broken_by: ClassVar[str]
    reveals_hidden_tests: ClassVar[bool] = False


class SourceRule(CodeRule):
    """A rule that checks the source of each program separately.

    If `holds_in_modules`, it also applies to the student's modules next to the programs; a rule about the program as a
    whole uses `ParsedSource.modules` itself.
    """

    holds_in_modules: ClassVar[bool] = False

    @abstractmethod
    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """Yield the places where `source` breaks the rule, in any order."""


@dataclass(frozen=True)
class JudgedTest:
    """A test with its verdict and its expected transcript."""

    test: Test
    verdict: Verdict
    expected: str


class HiddenTestRule(CodeRule):
    """A rule that compares the results of public tests with their hidden twins; its findings reveal hidden tests."""

    reveals_hidden_tests: ClassVar[bool] = True

    @abstractmethod
    def findings(self, judged: Sequence[JudgedTest], sources: Mapping[str, ParsedSource]) -> Iterator[RuleFinding]:
        """Yield the findings in the results and in the `sources` of the programs, by file name."""
