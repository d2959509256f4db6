"""Builds a submission's programs, and the main programs that call their functions, when a test first needs them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from threading import Lock

from grader.errors import SessionError, quoted
from grader.files.digest import digest
from grader.model.interaction import FunctionCall, Interaction
from grader.model.outcome import CallResult, Outcome, Termination
from grader.model.program import BuildCommands, LanguageBuild
from grader.model.test import Test
from grader.run.function.compiled import CallMain, together
from grader.run.interface import SubmissionFiles
from grader.run.language import language_at, watch_of
from grader.run.run_slots import RunSlots

_QUICK_SECONDS = 5
_MAX_LIMITS = 2
"""The maximum time, in multiples of the build limit, for rebuilding without faulty calls; quick builds are always
tried.
"""


@dataclass(frozen=True)
class BuildStep:
    """A build: a `command` with extra `files` (text by name) beside the submission; `name` identifies the result."""

    name: str
    recipe: BuildCommands
    command: tuple[str, ...]
    files: Mapping[str, str]


@dataclass(frozen=True)
class ReadyTest:
    """A test that can be run, and the `name` under which its built files are stored; empty if it has none."""

    test: Test
    name: str


RunBuild = Callable[[BuildStep], Outcome]
"""A function that runs a build and stores the files it creates."""


class ProgramBuilds:
    """The builds for the submission `files`; `tests` are the tests known so far."""

    def __init__(self, tests: Sequence[Test], files: SubmissionFiles) -> None:
        self._tests = tests
        self._files = files
        self._outcomes: dict[str, Outcome] = {}
        self._slow_seconds = 0.0
        self._building = Lock()

    def ready(self, test: Test, build: RunBuild, run_slots: RunSlots) -> ReadyTest | Outcome:
        """Return the test ready to run, or the outcome of its failed build.

        If the files have not been built yet, `build` is called as soon as a slot is free.
        """

        def outcome_of(step: BuildStep) -> Outcome:
            if step.name not in self._outcomes:
                self._refuse_names_of(step)
                self._outcomes[step.name] = run_slots.run_with_retry(partial(build, step))
            return self._outcomes[step.name]

        test = fitted_test(test, self._files)
        recipe = test.recipe
        if recipe is None or recipe.build is None:
            return ReadyTest(test, test.program)
        with self._building:
            if isinstance(test.interaction, FunctionCall) and recipe.language is not None:
                return self._ready_call(test, test.interaction, recipe, recipe.language, outcome_of)
            step = _step(test.program, recipe, recipe.build, {})
            outcome = outcome_of(step)
        return ReadyTest(test, step.name) if is_built(outcome) else replace(outcome, in_build=True)

    def _ready_call(
        self, test: Test, call: FunctionCall, recipe: BuildCommands, build: LanguageBuild, outcome_of: RunBuild
    ) -> ReadyTest | Outcome:
        """Return a call and its main program, which it shares with all tests of its kind, with some, or with none."""
        without = CallMain(build, ())
        alone_step = _main_step(test, recipe, without)
        alone = self._outcomes.get(alone_step.name)
        groups = [together(call, tuple(self._calls_like(test)))]
        outcome: Outcome | None = None
        while alone is None or is_built(alone):
            main = CallMain(build, groups[-1])
            step = _main_step(test, recipe, main)
            outcome = outcome_of(step) if outcome is None else self._built_again(step, outcome, outcome_of)
            if is_built(outcome):
                return ReadyTest(replace(test, recipe=replace(recipe, run=main.run(call, recipe))), step.name)
            if outcome.ending is Termination.CANCELLED:
                return replace(outcome, in_build=True)
            alone = outcome_of(alone_step)
            if is_built(alone) and len(groups[-1]) == 1:
                return replace(
                    outcome, in_build=True, call=CallResult(), transcript=main.plain_output(outcome.transcript)
                )
            buildable = main.without_faulty(outcome.transcript)
            groups.append(buildable if call in buildable and len(buildable) < len(groups[-1]) else (call,))
        return replace(alone, in_build=True, transcript=without.plain_output(alone.transcript))

    def _built_again(self, step: BuildStep, failed: Outcome, outcome_of: RunBuild) -> Outcome:
        """Rebuild the main program that `failed` without the faulty calls, unless slow builds have used up the time."""
        if step.name in self._outcomes:
            return self._outcomes[step.name]
        seconds = self._slow_seconds
        if seconds >= _MAX_LIMITS * step.recipe.limits.wall_seconds:
            return replace(failed, ending=Termination.TIMED_OUT, exit_code=None, wall_seconds=seconds, transcript="")
        outcome = outcome_of(step)
        if outcome.wall_seconds > _QUICK_SECONDS and not outcome.is_starved:
            self._slow_seconds += outcome.wall_seconds
        return outcome

    def _refuse_names_of(self, step: BuildStep) -> None:
        """Raise SessionError if the submission contains a file with a name that the build needs."""
        for _, name in self._files:
            if name in step.files:
                raise SessionError(
                    f"the submission has a file {quoted(name)}, a name that the grader needs for a file of its own; "
                    "rename it and grade again"
                )

    @cached_property
    def _fitted_tests(self) -> list[Test]:
        return [fitted_test(test, self._files) for test in self._tests]

    def _calls_like(self, test: Test) -> Iterable[FunctionCall]:
        """Yield the calls of all tests with the same program, visibility and directives as this test."""
        directives = _directives(test.interaction)
        for candidate in self._fitted_tests:
            same = (candidate.program, candidate.recipe, candidate.visibility) == (
                test.program,
                test.recipe,
                test.visibility,
            )
            if (
                same
                and isinstance(candidate.interaction, FunctionCall)
                and _directives(candidate.interaction) == directives
            ):
                yield candidate.interaction


def fitted_test(test: Test, files: SubmissionFiles) -> Test:
    """Return the test with its commands adapted to these files."""
    recipe = test.recipe
    if recipe is None or recipe.language is None:
        return test
    return replace(test, recipe=language_at(recipe.language.place).fit(recipe, recipe.language, files))


def _directives(interaction: Interaction) -> tuple[str, ...]:
    """Return the lines of a setup that apply to a whole file, such as macro definitions."""
    setup = interaction.setup if isinstance(interaction, FunctionCall) else ()
    return tuple(line for line in setup if line.startswith("#"))


def _main_step(test: Test, recipe: BuildCommands, main: CallMain) -> BuildStep:
    called = digest([[call.setup, call.calls] for call in main.calls])
    return _step(f"{test.program} {called}", recipe, main.command, main.files)


def _step(name: str, recipe: BuildCommands, command: tuple[str, ...], files: Mapping[str, str]) -> BuildStep:
    watch = watch_of(recipe)
    return BuildStep(name, recipe, watch.build_command(command), {**watch.files, **files})


def is_built(outcome: Outcome) -> bool:
    """Return whether a build succeeded."""
    return outcome.ending is Termination.EXITED and outcome.exit_code == 0
