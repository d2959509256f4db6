"""assignment.yaml as a pydantic model; the text below a key describes it."""

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, TypeAlias
from zoneinfo import ZoneInfo

from pydantic import Discriminator, Field, Tag, model_validator

from grader.config.scalars import (
    MOST_DAYS,
    FileName,
    FilePattern,
    FormatOne,
    Identifier,
    LateDays,
    LocalTime,
    Marks,
    Name,
    PythonVersion,
    Requirement,
    Variant,
    Word,
    Zone,
    latest_moment,
)
from grader.config.validation import AT_LEAST_ONE, DISTINCT, SpecModel
from grader.errors import quoted
from grader.extensions import LANGUAGES, LATE_POLICIES, RULES, extensions
from grader.model.assignment import AttemptPolicy, FileNamePolicy, Isolation, SubmissionPolicy
from grader.model.policy import LatePolicy, LateTerms, Rounding, RoundingMode
from grader.rules.code_rule import CodeRule
from grader.spec.counting_entries import CauseHints, GroupEntry
from grader.spec.languages import BuildEntry, language_of, refuse_half_commands
from grader.spec.options import PluginEntry, provided_files, with_options
from grader.spec.start import MOST_BYTES, BuildLimitsEntry, Files, LimitsEntry, Variables
from grader.spec.tests_file import CompareEntry


class LateTermsEntry(SpecModel):
    """The late policy with its options, and the terms that hold under every policy."""

    kind: ClassVar[type[LatePolicy] | None] = None

    policy: str
    """The name of the policy."""
    grace_minutes: Annotated[int, Field(ge=0, le=60 * 24 * MOST_DAYS)] = 0
    """Handed in no later than this, it counts as on time. Later than that all of the lateness counts."""
    late_days: LateDays = 0
    """Days that each student may be late without penalty, over all assignments."""
    max_late_days: LateDays | None = None
    """The most of these days that may be used on this assignment. Default: all."""
    cut_off: LocalTime | None = None
    """Local date and time. Later than this there are no points under any policy; a student whose own due date is later
    has until then.
    """

    def late_policy(self) -> LatePolicy | None:
        """Return the policy with its options; None if lateness costs nothing."""
        return with_options(self.kind, self) if self.kind else None

    def late_terms(self, zone: ZoneInfo) -> LateTerms:
        """Return the terms that hold under any policy; the cut-off is a time of `zone`."""
        cut_off = latest_moment(self.cut_off, zone) if self.cut_off else None
        return LateTerms(timedelta(minutes=self.grace_minutes), self.late_days, self.max_late_days, cut_off)


class NoPenaltyEntry(LateTermsEntry):
    """Lateness costs nothing, except after the cut-off."""

    policy: Literal["none"]


if TYPE_CHECKING:
    LateEntry: TypeAlias = LateTermsEntry
else:
    LateEntry = Annotated[
        LateTermsEntry,
        PluginEntry(key="policy", base=LateTermsEntry, group=LATE_POLICIES, kind=LatePolicy, others=(NoPenaltyEntry,)),
    ]


class RoundingEntry(SpecModel):
    """The rounding of marks."""

    places: Annotated[int, Field(ge=0, le=4)]
    """Decimal places, 0 to 4."""
    mode: RoundingMode = RoundingMode.HALF_UP
    """`half-up` (default), `half-even`, `up` or `down`."""

    def rounding(self) -> Rounding:
        """Return the rule in the form that computes marks."""
        return Rounding(self.places, self.mode)


class AnyRuleEntry(SpecModel):
    """A rule about the code of one program or of all, with its options.

    A rule with `deduct` or `zero_mark` costs nothing by itself: the report gives its evidence to you, and you confirm
    or waive it in marks.yaml. The student's feedback mentions it once it is confirmed.

    An empty program keeps the rules that only forbid something, such as `forbidden-names` and `line-length`, and earns
    their points. Where it should not, let such a rule `deduct`.

    A program that Python may run is not looked at if it has more than 200,000 bytes, is nested too deeply, or its
    encoding is not clear. Nor is anything beyond 100 files of Python in a submission, or beyond 400,000 bytes or 50,000
    names, operators and the like in all of them together, some 300,000 bytes of usual code. A rule about it is then not
    judged: the report asks you to confirm or waive its cost. If it has points, there is no mark until you decide it.
    """

    kind: ClassVar[type[CodeRule]]

    id: Name
    """A name, of no other rule."""
    title: str
    """The title, for people."""
    rule: str
    """The name of the rule."""
    program: FileName | None = None
    """The program it is about. Default: every program."""
    part: Name | None = None
    """The part in which keeping the rule earns points."""
    points: Marks | None = None
    """The points for keeping the rule."""
    deduct: Marks | None = None
    """Breaking the rule costs so many points, once you have confirmed it in marks.yaml."""
    zero_mark: Literal["true"] | None = None
    """`true`: breaking the rule costs the whole mark, once you have confirmed it in marks.yaml."""

    @model_validator(mode="after")
    def _one_cost(self) -> "AnyRuleEntry":
        if (self.part is None) != (self.points is None):
            raise ValueError("found one of `part` and `points`; expected both or neither")
        if len([key for key in (self.points, self.deduct, self.zero_mark) if key is not None]) > 1:
            raise ValueError("found more than one of `points`, `deduct` and `zero_mark`; expected at most one")
        return self

    def check(self) -> CodeRule:
        """Return the rule with its options."""
        return with_options(self.kind, self)

    def provided_files(self) -> dict[str, str]:
        """Map the options that must name a provided module to the names they give."""
        return provided_files(self.kind, self)


if TYPE_CHECKING:
    RuleEntry: TypeAlias = AnyRuleEntry
else:
    RuleEntry = Annotated[AnyRuleEntry, PluginEntry(key="rule", base=AnyRuleEntry, group=RULES, kind=CodeRule)]


Variants = Annotated[tuple[Variant, ...], AT_LEAST_ONE, DISTINCT]
Command = Annotated[tuple[Word, ...], AT_LEAST_ONE]


def _form(value: object) -> str:
    return "settings" if isinstance(value, dict | BuildEntry) else "command"


BuildWord = Annotated[Annotated[Command, Tag("command")] | Annotated[BuildEntry, Tag("settings")], Discriminator(_form)]
"""A command, or settings of the usual one."""


class AlternativeEntry(SpecModel):
    """A file that may be handed in in place of a program, in another language."""

    file: FileName
    """The name of the file."""
    build: BuildWord | None = None
    """As for the program itself."""
    run: Command | None = None
    """As for the program itself. It is needed if the ending of the name tells no language."""

    @model_validator(mode="after")
    def _what_is_built_is_run(self) -> "AlternativeEntry":
        refuse_half_commands(self.build, self.run)
        if self.run is None and language_of(self.file) is None:
            endings = ", ".join(extensions(LANGUAGES))
            raise ValueError(
                f"found {quoted(self.file)} without `run`; expected the command that runs it, or an ending of {endings}"
            )
        return self


class ProgramEntry(SpecModel):
    """A file to hand in, the reference that answers for it, and the commands that build and run it."""

    file: FileName
    """The name of the file."""
    reference: FileName | None = None
    """The file in `reference/` that answers for it. Default: the same name."""
    variants: Variants | None = None
    """The accepted readings of the handout, the preferred one first. Default: the `variants` of the assignment. The
    environment variable `REFERENCE_VARIANT` tells the reference which one to play; submissions do not have it, so a
    program that prints its environment cannot be tested. A submission is read as one of them, for all tests of the
    program: the one that gives most points, of several the one that has most lines in common with what was printed;
    blank lines in common do not count. A self-check runs only the public tests: of a program that mixes readings it
    takes the one in which the first test, such as the sample of the handout, is right for longest.
    """
    build: BuildWord | None = None
    """The command that runs once per submission, before `run`. Default: nothing is built. Without `run`: settings of
    the usual commands, as below.
    """
    run: Command | None = None
    """The command that runs the program, if it is not in Python: a program of the system, or a file of the submission
    such as `./game`, and its arguments. It sees this as its name, as in a shell. Without `run`, a file in C, C++,
    Java, JavaScript, Rust or a language of a plugin is built and run by the usual commands, and Python runs any
    other file. Such a program has no tests with `repl`, and tests with `call` only if it is in C, C++ or Java and
    has no `run`. See programs in other languages.
    """
    alternatives: tuple[AlternativeEntry, ...] = ()
    """Files in other languages that may be handed in in place of it. Of a submission that has several, the program
    itself counts, or else the first of the alternatives; a note names the others. Such a program has no tests with
    `repl`, and tests with `call` only if all its files are in the same one of C, C++ and Java.
    """

    @model_validator(mode="after")
    def _what_is_built_is_run(self) -> "ProgramEntry":
        refuse_half_commands(self.build, self.run)
        return self


class CardsEntry(SpecModel):
    """The provided module with the cards and decks of function tests, and its classes."""

    module: FileName
    """One of the provided modules."""
    card: Identifier = "Card"
    """The class of cards, made from a rank from 1 (ace) to 13 (king) and a suit from 1 to 4 (♣, ♦, ♥, ♠), with methods
    `rank` and `suit`. Default `Card`.
    """
    deck: Identifier = "Deck"
    """The class of decks, made without arguments, which keeps its cards in a list and deals from the end. Default
    `Deck`.
    """


class ProvidedEntry(SpecModel):
    """A module that the instructor supplies."""

    file: FileName
    """The name by which programs import it."""
    source: FileName | None = None
    """The file in `reference/`. Default: the same name."""


class ManualEntry(SpecModel):
    """An item of a part that a person marks."""

    id: Name
    """A name, by which marks.yaml refers to the item."""
    title: str
    """The title, for people."""
    marks: Marks
    """The most that the item earns."""


class PartEntry(SpecModel):
    """A piece of the assignment with marks of its own."""

    id: Name
    """A name, like that of the assignment."""
    title: str
    """The title, for people."""
    marks: Marks
    """The marks of the part. The points of its tests, groups and rules and the marks of its manual items must add up
    to exactly this, bonus points aside.
    """
    manual: tuple[ManualEntry, ...] = ()
    """Items that a person marks in marks.yaml. Until then the report says "not yet marked", and there is no mark."""
    bonus: bool = False
    """`true`: the marks of the part are beyond the full mark."""


class SubmissionsEntry(SpecModel):
    """Rules for taking in submissions; a key left out keeps its default."""

    names: FileNamePolicy | None = None
    """The file names that are accepted: `exact` (default; the report shows a similar name), `ignore-case`, or
    `closest-match` (the most similar name). A note names each file with another name.
    """
    attempts: AttemptPolicy | None = None
    """The attempt that counts, of several: `last`, `best` (all are graded), or `last-on-time` (the last one before the
    student's due date and grace time, or the last one when all are late). Default: `last`; of a Git repository
    `last-on-time`, which is also what `best` means there.
    """
    file_bytes: Annotated[int, Field(ge=1, le=MOST_BYTES)] | None = None
    """The most bytes of a program; a larger one is not taken, and is noted. Default 1,000,000."""
    total_bytes: Annotated[int, Field(ge=1, le=MOST_BYTES)] | None = None
    """The most bytes of one student that are unpacked; a larger archive is refused. Default 100,000,000."""
    files: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """The most files of one student that are looked at; a folder, archive or repository with more is refused: a
    note says so, and there is no mark. What pip and npm install (`site-packages`, `node_modules`) is neither
    counted nor looked at. Default 2000.
    """

    def policy(self) -> SubmissionPolicy:
        """Return the policy in the form that intake uses."""
        return SubmissionPolicy(**self.model_dump(exclude_none=True))


class AssignmentFile(SpecModel):
    """An assignment: the programs to hand in, marks, rules and the due date, and the terms of all its tests."""

    format: FormatOne
    """Version of this format: `1`."""
    id: Name
    """The name of the assignment, which is also the name of its folder: at most 100 letters, digits, `_`, `.` and `-`.
    """
    title: str
    """The title, for people."""
    programs: Annotated[tuple[ProgramEntry, ...], AT_LEAST_ONE]
    """The files to hand in."""
    variants: Variants = ("canonical",)
    """The accepted readings for the programs that name none of their own. A submission is read as one of them for all
    these programs.
    """
    provided: tuple[ProvidedEntry, ...] = ()
    """Modules that the instructor supplies. Each lies beside the program when it runs; a student's own copy is not
    used, and is noted.
    """
    files: Annotated[Files, Field(default_factory=dict)]
    """Files of the folder `files/` that lie beside the programs in every test: a list of their names, or a mapping
    from the name that programs see to the file; a folder stands for all that is in it. Text or binary. A file of
    the same name that was handed in is not used.
    """
    environment: Annotated[Variables, Field(default_factory=dict)]
    """Environment variables that programs have in every test."""
    further_files: Annotated[tuple[FilePattern, ...], DISTINCT] = ()
    """Files that may be handed in beside the programs: patterns such as `"*.py"`, `"*.h"` or `"data/*"`, in which `*`
    stands for anything but `/`. They lie at the same place beside the program when it is built and run.
    """
    python: PythonVersion | None = None
    """The version of Python that runs references and submissions, such as `"3.13"`, in quotes: two numbers, 3.11 or
    newer. Default: that of the grader.
    """
    packages: Annotated[tuple[Requirement, ...], DISTINCT] = ()
    """The packages that programs find, as pip names them: `[numpy==2.1.0, networkx]`. Without `==` the newest version
    is installed.
    """
    cards: CardsEntry | None = None
    """The module that makes the cards in values of function tests."""
    editions: Annotated[tuple[Variant, ...], DISTINCT] = ()
    """The editions of the provided modules that tests may ask for, the usual one first."""
    parts: Annotated[tuple[PartEntry, ...], AT_LEAST_ONE]
    """The pieces that have marks of their own."""
    groups: tuple[GroupEntry, ...] = ()
    """Tests that count together. Their files say which tests these are."""
    max_mark: Marks | None = None
    """The highest mark, where bonus points lead beyond the full mark. Default: the full mark."""
    hints: CauseHints
    """A sentence by cause of failure, which students read when a test fails for this cause."""
    due: LocalTime
    """Local date and time. Handed in at this very second is on time. When the clock is set back that day and says this
    time twice, the later one is meant; a time that it skips is read as if it had not been set yet (2:30 is then
    3:30).
    """
    time_zone: Zone
    """The zone of all times of the assignment, such as `Australia/Sydney`."""
    late: LateEntry | None = None
    """The cost of lateness. Without it lateness costs nothing."""
    rounding: RoundingEntry | None = None
    """The rounding of the mark, after everything else and never beyond the highest mark. Without it marks are exact,
    and to four places where shared points give a number without an end.
    """
    rules: tuple[RuleEntry, ...] = ()
    """Rules about the code, which is read, not run. Findings are shown with file, line and code."""
    limits: LimitsEntry = LimitsEntry()
    """The limits of a test."""
    build_limits: BuildLimitsEntry = BuildLimitsEntry()
    """The limits of a build: the keys of `limits` but `disk_bytes`, which builds share with tests. Defaults: 60
    seconds, 100,000 bytes of output, 4 GiB of memory, 64 MiB of stack, files of 128 MiB, 256 processes, 1024 open
    files.
    """
    isolation: Isolation = Isolation.FORK
    """`fork` (default): a dialogue or a function test of a Python program runs in a fork of an interpreter that has
    been started once for the submission, which is much faster; a test that fails runs again in a fresh process
    before that counts, and one that then passes is left to a person (`needs-review`). `fresh-process`: every test
    runs in a process of its own.
    """
    stop_after_timeouts: Annotated[int, Field(ge=1, le=1_000)] | None = None
    """The number of tests of a program that may run into the time limit before `grader grade` runs no more of its tests
    for that student. The others get the verdict `not-run` and earn nothing, and the mark says so. Hidden tests come
    last. Default: all tests are run.
    """
    compare: CompareEntry = CompareEntry()
    """The comparison of transcripts. Without it every character counts. Students see a note about each difference that
    was ignored.
    """
    submissions: SubmissionsEntry = SubmissionsEntry()
    """Rules for taking in submissions."""
