"""What every rule about code is: a frozen dataclass whose fields are its options in assignment.yaml."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from grader.model.judgement import Verdict
from grader.model.rule import RuleFinding
from grader.model.test import Test
from grader.rules.source import ParsedSource


class SourceRule(ABC):
    """A rule that looks at the source of each program by itself.

    `name` is its word in assignment.yaml, and `formerly` are still read. `broken_by` says what breaks it, for
    people who write assignments.
    """

    name: ClassVar[str]
    formerly: ClassVar[tuple[str, ...]] = ()
    broken_by: ClassVar[str]
    reveals_hidden_tests: ClassVar[bool] = False

    @abstractmethod
    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """Where `source` breaks the rule, in any order."""


@dataclass(frozen=True)
class JudgedTest:
    """A test with its verdict and the transcript that was expected."""

    test: Test
    verdict: Verdict
    expected: str


class HiddenTestRule(ABC):
    """A rule that compares the results of public tests with those of their hidden twins.

    What it finds tells of hidden tests. The class attributes are those of SourceRule.
    """

    name: ClassVar[str]
    formerly: ClassVar[tuple[str, ...]] = ()
    broken_by: ClassVar[str]
    reveals_hidden_tests: ClassVar[bool] = True

    @abstractmethod
    def findings(self, judged: Sequence[JudgedTest], sources: Mapping[str, ParsedSource]) -> Iterator[RuleFinding]:
        """What the results, and the `sources` of the programs by file name, show."""


CodeRule: TypeAlias = SourceRule | HiddenTestRule
