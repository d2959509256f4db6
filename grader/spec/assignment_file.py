"""assignment.yaml as a pydantic model; each key is described by the text below it."""

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, TypeAlias
from zoneinfo import ZoneInfo

from pydantic import Discriminator, Field, Tag, model_validator

from grader.config.scalars import (
    MAX_DAYS,
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
from grader.spec.start import MAX_BYTES, BuildLimitsEntry, Files, LimitsEntry, Variables
from grader.spec.tests_file import CompareEntry


class LateTermsEntry(SpecModel):
    """The late policy with its options, and the settings that apply to every policy."""

    kind: ClassVar[type[LatePolicy] | None] = None

    policy: str
    """The name of the policy."""
    grace_minutes: Annotated[int, Field(ge=0, le=60 * 24 * MAX_DAYS)] = 0
    """Minutes after the due date during which a submission still counts as on time. After that, the full lateness
    counts.
    """
    late_days: LateDays = 0
    """The number of days that each student can be late without a penalty, over all assignments."""
    max_late_days: LateDays | None = None
    """The maximum number of these days that can be used for this assignment. Default: all."""
    cut_off: LocalTime | None = None
    """A local date and time after which a submission gets no points, under any policy. If a student's own due
    date is later, it applies instead.
    """

    def late_policy(self) -> LatePolicy | None:
        """Return the policy with its options; None if lateness costs nothing."""
        return with_options(self.kind, self) if self.kind else None

    def late_terms(self, zone: ZoneInfo) -> LateTerms:
        """Return the terms that apply under any policy; the cut-off is a time in `zone`."""
        cut_off = latest_moment(self.cut_off, zone) if self.cut_off else None
        return LateTerms(timedelta(minutes=self.grace_minutes), self.late_days, self.max_late_days, cut_off)


class NoPenaltyEntry(LateTermsEntry):
    """Late submissions have no penalty before the cut-off."""

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
    """Decimal places, from 0 to 4."""
    mode: RoundingMode = RoundingMode.HALF_UP
    """`half-up` (the default), `half-even`, `up` or `down`."""

    def rounding(self) -> Rounding:
        """Return the rule in the form used to calculate marks."""
        return Rounding(self.places, self.mode)


class AnyRuleEntry(SpecModel):
    """A rule about the code of one program or of all programs, with its options.

    A rule with `deduct` or `zero_mark` costs nothing until you confirm it. The report shows you the evidence, and you
    confirm or waive the penalty in marks.yaml. The student's feedback mentions it once it is confirmed.

    An empty program follows the rules that only forbid something, such as `forbidden-names` and `line-length`, and
    earns their points. If you do not want this, use `deduct` for such a rule.

    Python programs are not examined if they have more than 200,000 bytes, are nested too deeply, or have an unclear
    encoding. For each submission, at most 100 Python files are examined, and together at most 400,000 bytes or 50,000
    names, operators and similar tokens. This corresponds to about 300,000 bytes of ordinary code. If a program is not
    examined, rules about it are not judged, and the report asks you to confirm or waive the penalty. If the rule has
    points, there is no mark until you decide.
    """

    kind: ClassVar[type[CodeRule]]

    id: Name
    """The unique name of the rule."""
    title: str
    """The title shown to people."""
    rule: str
    """The kind of rule."""
    program: FileName | None = None
    """The program to which the rule applies. Default: every program."""
    part: Name | None = None
    """The part in which following the rule earns points."""
    points: Marks | None = None
    """The points for following the rule."""
    deduct: Marks | None = None
    """The points deducted for breaking the rule, once you confirm the deduction in marks.yaml."""
    zero_mark: Literal["true"] | None = None
    """`true`: breaking the rule costs the whole mark, once you confirm this in marks.yaml."""

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
        """Map each option that must name a provided module to the name it gives."""
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
"""A command, or settings for the default command."""


class AlternativeEntry(SpecModel):
    """A file in another language that students can submit instead of a program."""

    file: FileName
    """The name of the file."""
    build: BuildWord | None = None
    """As for the program itself."""
    run: Command | None = None
    """As for the program itself. Required if the file extension does not determine the language."""

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
    """A file to submit, its reference, and the commands that build and run it."""

    file: FileName
    """The name of the file."""
    reference: FileName | None = None
    """The corresponding file in `reference/`. Default: the same name."""
    variants: Variants | None = None
    """The accepted interpretations of the handout, with the preferred one first. By default, the `variants` of the
    assignment. The environment variable `REFERENCE_VARIANT` tells the reference which variant to use.
    Submissions do not have this variable, so a program that prints its environment cannot be tested. Each
    submission is judged by a single variant for all tests of the program: the variant that gives the most
    points. If several give the same points, the one with the most non-blank lines in common with the output is
    chosen. A self-check only runs the public tests. If a program mixes variants, it chooses the one that agrees
    longest with the first test, for example the sample in the handout.
    """
    build: BuildWord | None = None
    """A command that runs once for each submission, before `run`. By default, nothing is built. Without `run`,
    these are settings for the default build command, as described below.
    """
    run: Command | None = None
    """The command that runs a program in a language other than Python. It consists of a system program, or a file of
    the submission such as `./game`, and its arguments. As in a shell, the program receives this as its name. Without
    `run`, files in C, C++, Java, JavaScript, Rust or a plugin's language are built and run with the default commands,
    and any other file is run by Python. These programs cannot have tests with `repl`. They can only have tests with
    `call` if they are in C, C++ or Java and do not set `run`. See programs in other languages.
    """
    alternatives: tuple[AlternativeEntry, ...] = ()
    """Files in other languages that students can submit instead. If a submission contains several, the program
    itself is used, or else the first alternative, and a note lists the others. These programs cannot have tests
    with `repl`. They can only have tests with `call` if all files are in the same language, which must be C,
    C++ or Java.
    """

    @model_validator(mode="after")
    def _what_is_built_is_run(self) -> "ProgramEntry":
        refuse_half_commands(self.build, self.run)
        return self


class CardsEntry(SpecModel):
    """The provided module with the cards and decks for function tests, and the names of its classes."""

    module: FileName
    """One of the provided modules."""
    card: Identifier = "Card"
    """The class of cards, created with a rank from 1 (ace) to 13 (king) and a suit from 1 to 4 (♣, ♦, ♥, ♠), with
    methods `rank` and `suit`. Default: `Card`.
    """
    deck: Identifier = "Deck"
    """The class of decks, created without arguments. It stores its cards in a list and deals from the end.
    Default: `Deck`.
    """


class ProvidedEntry(SpecModel):
    """A module provided by the instructor."""

    file: FileName
    """The file name under which programs import it."""
    source: FileName | None = None
    """The file in `reference/`. Default: the same name."""


class ManualEntry(SpecModel):
    """An item of a part that is marked by hand."""

    id: Name
    """The name used for the item in marks.yaml."""
    title: str
    """The title shown to people."""
    marks: Marks
    """The maximum marks for the item."""


class PartEntry(SpecModel):
    """A section of the assignment with its own marks."""

    id: Name
    """A name that follows the same rules as the id of the assignment."""
    title: str
    """The title shown to people."""
    marks: Marks
    """The marks of the part. The points of its tests, groups and rules and the marks of its manual items must add
    up to exactly this number, apart from bonus points.
    """
    manual: tuple[ManualEntry, ...] = ()
    """Items to mark by hand in marks.yaml. Until you mark them, reports show "not yet marked", and there is no
    mark.
    """
    bonus: bool = False
    """`true`: the marks of the part are added on top of the full mark."""


class SubmissionsEntry(SpecModel):
    """Settings for reading submissions. Omitted keys keep their defaults."""

    names: FileNamePolicy | None = None
    """The accepted file names: `exact` (the default; reports show a similar name), `ignore-case`, or
    `closest-match` (the most similar name). A note lists each file with a different name.
    """
    attempts: AttemptPolicy | None = None
    """The attempt that counts, if there are several: `last`, `best` (all attempts are graded), or `last-on-time`
    (the last attempt before the student's due date and grace period, or the last attempt if all are late). The
    default is `last`. For Git repositories it is `last-on-time`, and `best` has the same meaning there.
    """
    file_bytes: Annotated[int, Field(ge=1, le=MAX_BYTES)] | None = None
    """The maximum size of a program in bytes. A larger file is not used, and a note says so. Default: 1,000,000."""
    total_bytes: Annotated[int, Field(ge=1, le=MAX_BYTES)] | None = None
    """The maximum size of a student's unpacked files in bytes. A larger archive is refused. Default: 100,000,000."""
    files: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """The maximum number of files for each student. If a folder, archive or repository has more, it is refused: a
    note says so, and there is no mark. Files installed by pip and npm (`site-packages`, `node_modules`) are
    neither counted nor read. Default: 2000.
    """

    def policy(self) -> SubmissionPolicy:
        """Return the policy in the form used by intake."""
        return SubmissionPolicy(**self.model_dump(exclude_none=True))


class AssignmentFile(SpecModel):
    """An assignment: the programs to submit, marks, rules, the due date, and the settings for all its tests."""

    format: FormatOne
    """Version of this format: `1`."""
    id: Name
    """The name of the assignment and of its folder, with at most 100 letters, digits, `_`, `.` and `-`."""
    title: str
    """The title shown to people."""
    programs: Annotated[tuple[ProgramEntry, ...], AT_LEAST_ONE]
    """The files to submit."""
    variants: Variants = ("canonical",)
    """The accepted interpretations for programs without their own `variants`. Each submission is judged by a
    single variant for all these programs.
    """
    provided: tuple[ProvidedEntry, ...] = ()
    """Modules provided by the instructor. Each is available beside the program when it runs. A student's own copy
    is not used, and a note says so.
    """
    files: Annotated[Files, Field(default_factory=dict)]
    """Files in the folder `files/` that are available beside the programs in every test. Write a list of names, or
    a mapping from the name that programs see to the file. A folder includes all its contents. The files can be
    text or binary. A submitted file with the same name is not used.
    """
    environment: Annotated[Variables, Field(default_factory=dict)]
    """Environment variables for programs in every test."""
    further_files: Annotated[tuple[FilePattern, ...], DISTINCT] = ()
    """Patterns for files that students can submit beside the programs, such as `"*.py"`, `"*.h"` or `"data/*"`.
    `*` matches any text without `/`. The files keep their place beside the program when it is built and run.
    """
    python: PythonVersion | None = None
    """The version of Python for references and submissions, such as `"3.13"`, in quotes. It has two numbers and is
    at least 3.11. Default: the grader's version.
    """
    packages: Annotated[tuple[Requirement, ...], DISTINCT] = ()
    """The packages that programs can import, written as for pip: `[numpy==2.1.0, networkx]`. Without `==`, the
    newest version is installed.
    """
    cards: CardsEntry | None = None
    """The module that creates the cards in values of function tests."""
    editions: Annotated[tuple[Variant, ...], DISTINCT] = ()
    """The editions of the provided modules that tests can request, with the usual one first."""
    parts: Annotated[tuple[PartEntry, ...], AT_LEAST_ONE]
    """The sections of the assignment, each with its own marks."""
    groups: tuple[GroupEntry, ...] = ()
    """Tests that count together. The tests files define which tests belong to each group."""
    max_mark: Marks | None = None
    """The highest possible mark, if bonus points can exceed the full mark. Default: the full mark."""
    hints: CauseHints
    """A sentence for each cause of failure, which students read if a test fails for this cause. With `repair: place`,
    `kind` or `change`, a self-check also looks for a small change that repairs the program.
    """
    due: LocalTime
    """The due date, as a local date and time. A submission in this exact second is on time. If the clock is set
    back and the time occurs twice that day, the later one applies. If clocks skip the time, it is read as if
    they had not changed yet (2:30 becomes 3:30).
    """
    time_zone: Zone
    """The time zone of all times in the assignment, such as `Australia/Sydney`."""
    late: LateEntry | None = None
    """The penalty for lateness. Without it, there is no penalty."""
    rounding: RoundingEntry | None = None
    """The rounding of the mark, which is applied last and never exceeds the highest mark. Without it, marks are
    exact. If shared points have no exact decimal, they have four places.
    """
    rules: tuple[RuleEntry, ...] = ()
    """Code rules, which read the programs without running them. Findings show the file, line and code."""
    limits: LimitsEntry = LimitsEntry()
    """The limits of a test."""
    build_limits: BuildLimitsEntry = BuildLimitsEntry()
    """The limits of a build: the same keys as `limits`, apart from `disk_bytes`, which builds share with tests.
    The defaults are 60 seconds, 100,000 bytes of output, 4 GiB of memory, 64 MiB of stack, files of 128 MiB,
    256 processes and 1024 open files.
    """
    isolation: Isolation = Isolation.FORK
    """`fork` (the default): dialogues and function tests of Python programs run in forks of an interpreter that is
    started only once for the submission. This is much faster. A test that fails runs again in a fresh process before
    the result counts. If it then passes, a person has to decide (`needs-review`). `fresh-process`: every test runs in
    its own process.
    """
    stop_after_timeouts: Annotated[int, Field(ge=1, le=1_000)] | None = None
    """The number of timeouts after which `grader grade` stops testing a program for a student. The remaining tests
    get the verdict `not-run` and earn nothing, and the mark includes a note. Hidden tests run last.
    Default: all tests are run.
    """
    compare: CompareEntry = CompareEntry()
    """The settings for comparing transcripts. Without them, every character counts. Students see a note about each
    difference that was ignored.
    """
    submissions: SubmissionsEntry = SubmissionsEntry()
    """Settings for reading submissions."""
