"""An assignment: its programs, parts and tests, and the policies on submissions, isolation and late work."""

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from zoneinfo import ZoneInfo

from grader.errors import Problem
from grader.model.counting import TestGroup
from grader.model.policy import LatePolicy, LateTerms, Rounding
from grader.model.program import Limits, Program, ProvidedModule
from grader.model.python_request import PythonRequest
from grader.model.rule import Rule
from grader.model.test import Test


class FileNamePolicy(StrEnum):
    """The accepted file names: exact, with different capitalization, or the most similar."""

    EXACT = "exact"
    IGNORE_CASE = "ignore-case"
    CLOSEST_MATCH = "closest-match"


class AttemptPolicy(StrEnum):
    """The attempt that counts if there are several.

    LAST_ON_TIME: the last attempt before the due date, or the last attempt if all are late.
    """

    LAST = "last"
    BEST = "best"
    LAST_ON_TIME = "last-on-time"


@dataclass(frozen=True, kw_only=True)
class SubmissionPolicy:
    """The rules for accepting submissions.

    Without `attempts`, the last attempt counts, but in Git it is the last one on time. A program larger than
    `file_bytes` is not accepted. A folder or archive with more than `files` files is rejected, and so is an archive
    whose files exceed `total_bytes` in total.
    """

    names: FileNamePolicy = FileNamePolicy.EXACT
    attempts: AttemptPolicy | None = None
    file_bytes: int = 1_000_000
    total_bytes: int = 100_000_000
    files: int = 2_000


class Isolation(StrEnum):
    """How a test is isolated from the other tests of the same submission.

    FORK: the test runs in a fork of an interpreter that is started only once, which saves most of the time.
    FRESH_PROCESS: the test runs in its own process. A test that fails in a fork runs again in a fresh process
    before the result counts.
    """

    FORK = "fork"
    FRESH_PROCESS = "fresh-process"


@dataclass(frozen=True)
class ManualItem:
    """An item that a person marks, for at most `marks`."""

    id: str
    title: str
    marks: Decimal


@dataclass(frozen=True, kw_only=True)
class Part:
    """A section of the assignment with its own marks.

    The points of its tests, groups and rules and the marks of its manual items add up to `marks`, apart from bonus
    points. The marks of a `bonus` part are added on top of the full mark.
    """

    id: str
    title: str
    marks: Decimal
    manual: tuple[ManualItem, ...] = ()
    bonus: bool = False


@dataclass(frozen=True, kw_only=True)
class Assignment:
    """An assignment as defined in its folder under `test_specs/`. `due` has a time zone.

    `max_mark` is the highest mark that bonus points can reach beyond the full mark; if it is None, they cannot exceed
    the full mark. Without `rounding`, marks are exact. `editions` lists the editions of the provided modules, the usual
    one first. Files that match one of the patterns in `further_files` can be submitted with the programs. `python` is
    the Python used to run programs. If a program reaches the time limit in `stop_after_timeouts` tests, its remaining
    tests are not run (None: all tests are run). `notes` are for the authors of the files.
    """

    id: str
    title: str
    folder: Path
    programs: tuple[Program, ...]
    parts: tuple[Part, ...]
    due: datetime
    late: LatePolicy | None
    limits: Limits
    tests: tuple[Test, ...]
    isolation: Isolation = Isolation.FORK
    provided: tuple[ProvidedModule, ...] = ()
    rules: tuple[Rule, ...] = ()
    submission_policy: SubmissionPolicy = SubmissionPolicy()
    late_terms: LateTerms = LateTerms()
    rounding: Rounding | None = None
    groups: tuple[TestGroup, ...] = ()
    max_mark: Decimal | None = None
    editions: tuple[str, ...] = ()
    further_files: tuple[str, ...] = ()
    python: PythonRequest = PythonRequest()
    stop_after_timeouts: int | None = None
    notes: tuple[Problem, ...] = field(default=(), compare=False)

    @property
    def marks(self) -> Decimal:
        """The full mark, without bonus parts."""
        return sum((part.marks for part in self.parts if not part.bonus), Decimal(0))

    @property
    def highest_mark(self) -> Decimal:
        """The highest possible mark: the full mark, or the maximum with bonus points."""
        return self.marks if self.max_mark is None else self.max_mark

    @property
    def zone(self) -> ZoneInfo:
        """The time zone of the assignment's times. Raises TypeError if `due` only has an offset."""
        if not isinstance(self.due.tzinfo, ZoneInfo):
            raise TypeError(f"the due date of {self.id} has no named time zone")
        return self.due.tzinfo

    @property
    def manual(self) -> tuple[ManualItem, ...]:
        """The manual items of all parts."""
        return tuple(item for part in self.parts for item in part.manual)

    @property
    def variant_groups(self) -> tuple[tuple[Program, ...], ...]:
        """The programs in groups; the programs of a group are judged as the same variant."""
        joint = tuple(program for program in self.programs if program.joint)
        return (*([joint] if joint else []), *((program,) for program in self.programs if not program.joint))

    @property
    def provided_files(self) -> tuple[tuple[Path, str], ...]:
        """The path of each provided module, and its name when copied next to the program."""
        return tuple((module.source, module.file) for module in self.provided)

    @cached_property
    def program_of(self) -> dict[str, Program]:
        """The programs by file name."""
        return {program.file: program for program in self.programs}

    @cached_property
    def program_named(self) -> dict[str, Program]:
        """The programs by all the names that their files may have."""
        return {name: program for program in self.programs for name in program.names}

    @property
    def file_names(self) -> dict[str, tuple[str, ...]]:
        """The allowed file names of each program."""
        return {program.file: program.names for program in self.programs}
