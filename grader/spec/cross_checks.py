"""Checks an assignment's tests against assignment.yaml and against each other."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import assert_never

from grader.config.yaml_reader import KeyPath, YamlDocument
from grader.errors import Problem, SourceLocation, nearest, quoted
from grader.model.expectation import FromReference, GivenTranscript
from grader.model.expected_call import read_expected_call
from grader.model.interaction import CallCheck, Dialogue, FunctionCall, PluginInteraction, ReplSession, StdinRun
from grader.model.partial_credit import Milestones, PartialLines
from grader.model.plain_values import holds_cards
from grader.model.program import BuildCommands
from grader.model.test import SideOutput, Test, Visibility, cannot_be_sealed
from grader.run.language import CallableLanguage, language_at
from grader.spec.assignment_file import AlternativeEntry, AssignmentFile, ProgramEntry
from grader.spec.counting_entries import CountingDefaults
from grader.spec.languages import BUILD_LIMITS, language_of, recipe
from grader.spec.tests_file import TestEntry

_UTF_16 = ("\udcff\udcfe", "\udcfe\udcff")


@dataclass(frozen=True, kw_only=True)
class PlacedTest:
    """A test, its location in its file, and the keys there that determine how it counts."""

    test: Test
    document: YamlDocument
    steps: KeyPath
    entry: TestEntry
    defaults: CountingDefaults

    def problem(self, key: str, message: str) -> Problem:
        """Return a problem at the value of the test's `key`."""
        return Problem(self.document.place((*self.steps, key)), message)


def provision_problems(content: AssignmentFile, placed: Iterable[PlacedTest]) -> Iterator[Problem]:
    """Yield a problem for each test that uses settings or editions of provided modules that do not exist."""
    for item in placed:
        provision = item.test.provision
        for key, value in vars(provision).items():
            if value is not None and not content.provided:
                yield item.problem(key, f"`{key}` is for `provided` modules, and assignment.yaml names none")
        if content.provided and provision.edition not in (None, *content.editions):
            hint = nearest(str(provision.edition), content.editions)
            yield item.problem(
                "edition", f"there is no edition {quoted(str(provision.edition))} in assignment.yaml{hint}"
            )


def twin_problems(placed: Sequence[PlacedTest]) -> Iterator[Problem]:
    """Yield a problem for each hidden test whose public twin does not exist."""
    public = {item.test.id for item in placed if item.test.visibility is Visibility.PUBLIC}
    for item in placed:
        name = item.test.hidden_twin_of
        if name is not None and name not in public:
            yield item.problem("hidden_twin_of", f"there is no public test {quoted(name)}{nearest(name, public)}")


def seal_problems(placed: Iterable[PlacedTest]) -> Iterator[Problem]:
    """Yield a problem for each sealed test that requires more than that lines are exactly as expected."""
    for item in placed:
        test = item.test
        if not test.sealed:
            continue
        if test.visibility is not Visibility.PUBLIC:
            yield item.problem(
                "sealed", "found `sealed` in a hidden test, which students never get; expected a public one"
            )
        what = _unsealable(test)
        if what is not None:
            yield item.problem("sealed", f"a test with {what} cannot be sealed; only whole transcripts can")
        key = cannot_be_sealed(test.comparison)
        if key is not None:
            message = (
                f"a test that is compared with `{key}` cannot be sealed, because that takes the expected text itself"
            )
            yield item.problem("sealed", f"{message}; give it a `compare` of its own")


def _unsealable(test: Test) -> str | None:
    match test.interaction:
        case FunctionCall():
            return "a call"
        case PluginInteraction(words=words):
            return words
        case Dialogue() | ReplSession() | StdinRun():
            if not isinstance(test.expectation, FromReference):
                return "`expected` or `expect`"
            if test.side_output != SideOutput():
                return "written files or standard error"
            if test.partial is not None and isinstance(test.partial.way, Milestones | PartialLines):
                is_lines = isinstance(test.partial.way, PartialLines)
                return "`partial: lines`, whose share tells of later lines too," if is_lines else "`milestones`"
            return "a checker" if test.checker is not None else None


def unknown_names(content: AssignmentFile, placed: Iterable[PlacedTest]) -> Iterator[Problem]:
    """Yield a problem for each tests file whose program or part is not in assignment.yaml."""
    programs = [program.file for program in content.programs]
    parts = [part.id for part in content.parts]
    for document in {item.document.file: item.document for item in placed}.values():
        for key, names in (("program", programs), ("part", parts)):
            name = document.data[key] if isinstance(document.data, dict) else ""
            if name not in names:
                message = f"there is no {key} {quoted(str(name))} in assignment.yaml{nearest(str(name), names)}"
                yield Problem(document.place((key,)), message)


def python_only_problems(content: AssignmentFile, placed: Iterable[PlacedTest]) -> Iterator[Problem]:
    """Yield a problem for each test that needs Python or callable functions if the program may lack them."""
    programs = {program.file: program for program in content.programs}
    foreign = {program.file: _non_python_file(program) for program in content.programs}
    for item in placed:
        language = foreign.get(item.test.program)
        if language is None:
            continue
        match item.test.interaction:
            case ReplSession():
                yield item.problem("repl", f"{language}; only Python has a prompt")
            case FunctionCall() as call:
                yield from _call_problems(item, call, programs[item.test.program], language)
            case PluginInteraction(only_python=str(reason)):
                yield item.problem(item.entry.ways[0], f"{language}; {reason}")
            case Dialogue() | StdinRun() | PluginInteraction():
                pass
            case _:
                assert_never(item.test.interaction)


def _call_problems(item: PlacedTest, call: FunctionCall, program: ProgramEntry, fault: str) -> Iterator[Problem]:
    """Yield the faults of a test that calls functions of a program in a language other than Python."""
    key = "call" if len(call.calls) == 1 else "calls"
    languages = {
        language_at(build.language.place) if build and build.language else None for build in _recipes(program).values()
    }
    language = languages.pop()
    if languages or not isinstance(language, CallableLanguage):
        which = "functions of Python, or of C, C++ or Java built by the usual commands, can be called"
        yield item.problem(key, f"{fault}; only {which}, all files of the program in the same language")
        return
    name = language.name
    if language_of(program.reference or program.file) is not language:
        message = f"found the reference {quoted(program.reference or '')}; expected one in {name}, as the calls are"
        yield item.problem(key, message)
    if call.variables:
        message = f"found values of Python; expected declarations in {name}, in `setup` or `calls`"
        yield item.problem("variables", message)
    if CallCheck.STATE in call.checks:
        yield item.problem("checks", f"found `state`, which objects of Python have; expected calls in {name}")
    if not language.has_exceptions and call.may_raise:
        raises = "checks" if isinstance(item.test.expectation, FromReference) else "raises"
        yield item.problem(raises, f"found an exception, which {name} does not have; expected a value")


def plugin_problems(placed: Iterable[PlacedTest]) -> Iterator[Problem]:
    """Yield the problems that plugins' interactions find in their tests."""
    for item in placed:
        if isinstance(item.test.interaction, PluginInteraction):
            yield from (item.problem(key, message) for key, message in item.test.interaction.faults(item.test))


def _non_python_file(program: ProgramEntry) -> str | None:
    """Describe the first file that can be submitted and does not run in Python, or return None."""
    recipes = _recipes(program).items()
    return next(
        (f"`{file}` is run by {quoted(' '.join(commands.run))}" for file, commands in recipes if commands), None
    )


def _recipes(program: ProgramEntry) -> dict[str, BuildCommands | None]:
    """Map each file that can be submitted to its build and run commands; None means Python."""
    files: list[ProgramEntry | AlternativeEntry] = [program, *program.alternatives]
    return {candidate.file: recipe(candidate.file, candidate.build, candidate.run, BUILD_LIMITS) for candidate in files}


def repeated_tests(placed: Iterable[PlacedTest]) -> Iterator[Problem]:
    """Yield a problem for each test that repeats the id of an earlier test."""
    first: dict[str, PlacedTest] = {}
    for item in placed:
        earlier = first.setdefault(item.test.id, item)
        if earlier is not item:
            where = earlier.document.place(earlier.steps)
            yield item.problem("id", f"there is another test with the id `{item.test.id}` ({where})")


def card_problems(document: YamlDocument, content: AssignmentFile, placed: Iterable[PlacedTest]) -> Iterator[Problem]:
    """Yield a problem for a missing cards module, and for each test with cards if assignment.yaml has no `cards`."""
    files = [module.file for module in content.provided]
    if content.cards is not None and content.cards.module not in files:
        name = content.cards.module
        message = f"there is no provided module {quoted(name)} in assignment.yaml{nearest(name, files)}"
        yield Problem(document.place(("cards", "module")), message)
    unknown = "found cards, but assignment.yaml does not say in `cards` whose they are"
    for item in placed if content.cards is None else ():
        call = item.test.interaction
        if isinstance(call, FunctionCall) and any(map(holds_cards, call.variables.values())):
            yield item.problem("variables", unknown)
        if isinstance(call, FunctionCall) and _returns_cards(item.test):
            yield item.problem("returns", f"{unknown}; the text is {{text: K♠}}")


def _returns_cards(test: Test) -> bool:
    """Return whether the test states that a call returns cards."""
    if not isinstance(test.expectation, GivenTranscript):
        return False
    return any(holds_cards(step.returned) for step in read_expected_call(test.expectation.text).steps)


def input_file_notes(folder: Path, placed: Iterable[PlacedTest]) -> Iterator[Problem]:
    """Yield a note for each input file saved on Windows, where programs read characters that editors do not show."""
    runs = {run.name: run for run in (_stdin_of(item.test) for item in placed) if run and run.name is not None}
    for name, run in sorted(runs.items()):
        place = SourceLocation(folder / "inputs" / name, 1, 1)
        if run.text.startswith(_UTF_16):
            note = "the file is in UTF-16, which programs do not expect; save it in UTF-8"
            yield Problem(place, f"{note}, unless it is meant")
        if run.text.startswith("\ufeff"):
            note = "the file begins with a byte order mark, which programs read; save it in UTF-8 without one"
            yield Problem(place, f"{note}, unless it is meant")
        if "\r\n" in run.text:
            note = "the lines end as on Windows, and programs read the carriage returns"
            yield Problem(place, f"{note}; save the file with the ends of Unix, unless they are meant")


def _stdin_of(test: Test) -> StdinRun | None:
    match test.interaction:
        case StdinRun() as stdin:
            return stdin
        case Dialogue(stdin=stdin):
            return stdin
    return None
