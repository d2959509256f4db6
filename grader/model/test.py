"""A test: a run of a program, how its transcript is compared with the expected one, and its points."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from grader.errors import SourceLocation
from grader.model.amount import Amount
from grader.model.counting import Counting
from grader.model.ending import ExpectedEnding
from grader.model.expectation import Expectation, FromReference, Tolerance, looks_at_errors, needs_reference
from grader.model.interaction import Interaction, PluginInteraction
from grader.model.partial_credit import PartialCredit
from grader.model.program import BuildCommands, Limits, ProvidedSettings, StartSettings


class IgnoredDifference(StrEnum):
    """A kind of difference that can be ignored."""

    TRAILING_WHITESPACE = "trailing-whitespace"
    SPACE_CHANGE = "space-change"
    TAB_EXPANSION = "tab-expansion"
    BLANK_LINES = "blank-lines"
    CASE = "case"
    LINE_ORDER = "line-order"
    ECHOED_INPUT = "echoed-input"


@dataclass(frozen=True, kw_only=True)
class ComparisonPolicy:
    """The differences to ignore; by default none, so that every character counts.

    `ignore_characters` contains the code points that do not matter. Numbers can deviate by `tolerance`. An expected
    line that matches one of `wildcard_lines`, in which `*` matches anything, is replaced by any text except a blank
    line. Several such lines in a row, or a line that matches one of `wildcard_texts`, are replaced by any number of
    lines. A printed line that matches one of `wildcard_excludes` never counts as a replacement. `<<name>>` in an
    expected line matches any text that fits the regular expression of that name in `patterns`.
    """

    ignore: frozenset[IgnoredDifference] = frozenset()
    ignore_characters: str = ""
    tolerance: Tolerance | None = None
    wildcard_lines: tuple[str, ...] = ()
    wildcard_texts: tuple[str, ...] = ()
    wildcard_excludes: tuple[str, ...] = ()
    patterns: Mapping[str, str] = field(default_factory=dict)


def cannot_be_sealed(comparison: ComparisonPolicy) -> str | None:
    """Return the key of a comparison policy that needs the expected text itself, or None."""
    for difference in (IgnoredDifference.LINE_ORDER, IgnoredDifference.ECHOED_INPUT):
        if difference in comparison.ignore:
            return difference
    if comparison.tolerance is not None:
        return "tolerance"
    if comparison.patterns:
        return "patterns"
    if comparison.wildcard_texts:
        return "wildcard_texts"
    return "wildcard_lines" if comparison.wildcard_lines else None


class Visibility(StrEnum):
    """The visibility of a test. `public` tests also run in a student's self-check."""

    PUBLIC = "public"
    HIDDEN = "hidden"


@dataclass(frozen=True)
class SideOutput:
    """The output that is compared in addition to the transcript.

    `errors` adds standard error, which then does not go to the terminal. `files` adds files that the program writes, by
    their names in its folder.
    """

    errors: bool = False
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class CheckerSettings:
    """The course's checker in `file`, for tests with many right answers, and its options."""

    name: str
    file: Path
    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class HandoutSample:
    """A transcript from the handout that the reference must print: the file, the text, and the allowed differences."""

    name: str
    text: str
    ignore: frozenset[IgnoredDifference] = frozenset()


@dataclass(frozen=True)
class CauseHint:
    """A sentence shown to students when a test fails for the cause with this id."""

    cause: str
    sentence: str


@dataclass(frozen=True)
class Hints:
    """Sentences for students whose program fails the test.

    `always` is shown for every cause. For a cause, the test's own sentence comes before the assignment's. `found` is
    what a self-check finds out about the program.
    """

    always: str = ""
    of_test: tuple[CauseHint, ...] = ()
    of_assignment: tuple[CauseHint, ...] = ()
    found: str = ""

    def after(self, cause: str | None) -> tuple[str, ...]:
        """Return the sentences for a failure with this cause, most specific first."""
        return tuple(filter(None, (self.of(cause), self.always, self.found)))

    def of(self, cause: str | None) -> str:
        """Return the sentence for this cause, or an empty string."""
        return next((hint.sentence for hint in (*self.of_test, *self.of_assignment) if hint.cause == cause), "")


@dataclass(frozen=True, kw_only=True)
class Test:
    """A run of a program, and the points for a correct result.

    `interaction` determines how the program is run and what input it gets, and `ending` how it must end.
    `hidden_twin_of` is the public test that this test repeats with another deck. `recipe` contains the commands to
    build and run the program, and is None if it runs in Python. If `sealed`, students can run it but not see the
    expected output. `provided` lists the instructor's modules next to the program, and `start` the rest of its
    environment. Without `limits`, the assignment's limits apply. `partial` determines how much a partly correct
    transcript earns. `sample` is only for the reference. Correct programs read every line of input unless
    `may_leave_input` is set. `location` is where the test is defined.
    """

    id: str
    title: str
    program: str
    part: str
    visibility: Visibility
    points: Amount
    interaction: Interaction
    ending: ExpectedEnding
    comparison: ComparisonPolicy = ComparisonPolicy()
    hidden_twin_of: str | None = None
    provision: ProvidedSettings = ProvidedSettings()
    start: StartSettings = StartSettings()
    limits: Limits | None = None
    side_output: SideOutput = SideOutput()
    expectation: Expectation = FromReference()
    recipe: BuildCommands | None = None
    checker: CheckerSettings | None = None
    sealed: bool = False
    provided: tuple[str, ...] = ()
    counting: Counting = Counting()
    partial: PartialCredit | None = None
    hints: Hints = Hints()
    sample: HandoutSample | None = None
    may_leave_input: bool = False
    location: SourceLocation | None = field(default=None, compare=False)

    @property
    def needs_reference(self) -> bool:
        """Return whether the expected output comes from the reference; an interactor does not need it."""
        if isinstance(self.interaction, PluginInteraction) and not self.interaction.needs_reference:
            return False
        return needs_reference(self.expectation) or self.side_output != SideOutput()

    @property
    def keeps_errors_apart(self) -> bool:
        """Return whether standard error is kept separate from the terminal so that it can be judged."""
        return self.side_output.errors or looks_at_errors(self.expectation)

    @property
    def environment(self) -> Mapping[str, str]:
        """The environment variables set in addition to the usual ones."""
        return {**self.start.environment, **self.provision.environment}


def judging_files(test: Test) -> tuple[Path, ...]:
    """Return the course files that judge the test (checker, interactor); all files next to them are needed too."""
    checker = test.checker.file if test.checker else None
    interactor_file = test.interaction.judging_file if isinstance(test.interaction, PluginInteraction) else None
    return tuple(file for file in (checker, interactor_file) if file is not None)


def with_judging_files(test: Test, place: Callable[[Path], Path]) -> Test:
    """Return the test with its checker and interactor moved to the paths that `place` returns."""
    checker = None if test.checker is None else replace(test.checker, file=place(test.checker.file))
    interaction = test.interaction
    if isinstance(interaction, PluginInteraction):
        interaction = interaction.moved(place)
    return replace(test, checker=checker, interaction=interaction)
