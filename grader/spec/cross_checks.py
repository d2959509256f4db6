"""Checks an assignment as a whole: what its files say of each other, and what they name in other folders.

test_specs/ID/inputs/*           files that are fed to programs as their standard input
test_specs/ID/own_tests/*        programs on which students' own tests are tried
checkers/NAME.py                 the checkers of the course
interactors/NAME.py              its interactors
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import assert_never

from grader.checkers.ask import checker_file, checker_names
from grader.config.yaml_reader import KeyPath, YamlDocument
from grader.errors import Problem, SourceLocation, nearest, quoted
from grader.files.digest import UntraceableError, content_digest, folder_digest
from grader.interactors.process import interactor_file, interactor_names
from grader.model.expectation import FromReference, GivenTranscript
from grader.model.expected_call import read_expected_call
from grader.model.interaction import (
    CallCheck,
    Dialogue,
    FunctionCall,
    InteractorRun,
    InteractorSettings,
    OwnTests,
    ReplSession,
    StdinRun,
    TrialProgram,
)
from grader.model.partial_credit import Milestones
from grader.model.plain_values import holds_cards
from grader.model.program import BuildCommands
from grader.model.test import CheckerSettings, SideOutput, Test, Visibility, cannot_be_sealed
from grader.run.language import CallableLanguage, language_at
from grader.spec.assignment_file import AlternativeEntry, AssignmentFile, ProgramEntry, ProvidedEntry
from grader.spec.counting_entries import CountingDefaults, CountingEntry
from grader.spec.languages import BUILD_LIMITS, BuildEntry, language_of, recipe, setting_faults
from grader.spec.start import NotBesideError, read_beside
from grader.text.syntax import parse

_UTF_16 = ("\udcff\udcfe", "\udcfe\udcff")


@dataclass(frozen=True, kw_only=True)
class PlacedTest:
    """A test, where it stands in its file, and what is said there of how it counts."""

    test: Test
    document: YamlDocument
    steps: KeyPath
    entry: CountingEntry
    defaults: CountingDefaults

    def problem(self, key: str, message: str) -> Problem:
        """Return a problem with what stands under `key` of the test."""
        return Problem(self.document.place((*self.steps, key)), message)


def cross_check(folder: Path, document: YamlDocument, content: AssignmentFile) -> Iterator[Problem]:
    """Yield the problems within assignment.yaml itself, which is in `folder`."""
    if content.id != folder.name:
        message = f"found the id `{content.id}`; expected the name of the folder, `{folder.name}`"
        yield Problem(document.place(("id",)), message)
    yield from repeated(document, "programs", "file", [program.file for program in content.programs])
    yield from _alternative_problems(document, content)
    yield from repeated(document, "parts", "id", [part.id for part in content.parts])
    if content.late and content.late.cut_off and content.late.cut_off < content.due:
        message = f"found {content.late.cut_off}; expected a time that is not before the due date, {content.due}"
        yield Problem(document.place(("late", "cut_off")), message)


def _alternative_problems(document: YamlDocument, content: AssignmentFile) -> Iterator[Problem]:
    taken = [program.file for program in content.programs] + [module.file for module in content.provided]
    for program_index, program in enumerate(content.programs):
        for index, alternative in enumerate(program.alternatives):
            if alternative.file in taken:
                place = document.place(("programs", program_index, "alternatives", index, "file"))
                yield Problem(place, f"{quoted(alternative.file)} is given twice")
            taken.append(alternative.file)


def language_problems(document: YamlDocument, content: AssignmentFile) -> Iterator[Problem]:
    """Settings of builds that the language of the program does not have."""
    for number, program in enumerate(content.programs):
        steps: KeyPath = ("programs", number)
        entries = [(program.file, program.build, steps)]
        for index, alternative in enumerate(program.alternatives):
            entries.append((alternative.file, alternative.build, (*steps, "alternatives", index)))
        for file, build, place in entries:
            for key, message in setting_faults(file, build) if isinstance(build, BuildEntry) else ():
                yield Problem(document.place((*place, "build", key)), message)


def repeated(document: YamlDocument, key: str, name: str, values: Sequence[str]) -> Iterator[Problem]:
    """The entries of the list `key` whose value of `name` an earlier one has; `values` are those of all entries."""
    for index, value in enumerate(values):
        if value in values[:index]:
            yield Problem(document.place((key, index, name)), f"{quoted(value)} is given twice")


def provided_problems(references: Path, document: YamlDocument, content: AssignmentFile) -> Iterator[Problem]:
    """Provided modules that are named twice, handed in too, or not in the folder `references`."""
    yield from repeated(document, "provided", "file", [module.file for module in content.provided])
    for index, module in enumerate(content.provided):
        if module.file in (program.file for program in content.programs):
            message = f"{quoted(module.file)} is a program to hand in; expected a file that is only provided"
            yield Problem(document.place(("provided", index, "file")), message)
        if not source(module, references).is_file():
            message = f"there is no file {source(module, references).name} in {references}"
            yield Problem(document.place(("provided", index, "source")), message)
    if content.editions and not content.provided:
        message = "found editions, but no `provided` module that could have them"
        yield Problem(document.key_place(("editions",)), message)


def provision_problems(content: AssignmentFile, placed: Iterable[PlacedTest]) -> Iterator[Problem]:
    """Tests that choose an edition or the like of provided modules that do not exist."""
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


def rule_problems(document: YamlDocument, content: AssignmentFile) -> Iterator[Problem]:
    """Rules that are named twice or name what is not there, and manual items that are given twice."""
    programs = [program.file for program in content.programs]
    parts = [part.id for part in content.parts]
    modules = [module.file for module in content.provided]
    yield from repeated(document, "rules", "id", [rule.id for rule in content.rules])
    for index, rule in enumerate(content.rules):
        named = [("program", "program", rule.program, programs), ("part", "part", rule.part, parts)]
        named += [(key, "provided module", file, modules) for key, file in rule.provided_files().items()]
        for key, what, name, names in named:
            if name is not None and name not in names:
                message = f"there is no {what} {quoted(name)} in assignment.yaml{nearest(name, names)}"
                yield Problem(document.place(("rules", index, key)), message)
    first: set[str] = set()
    for part_index, part in enumerate(content.parts):
        for index, item in enumerate(part.manual):
            if item.id in first:
                place = document.place(("parts", part_index, "manual", index, "id"))
                yield Problem(place, f"the manual item {quoted(item.id)} is given twice")
            first.add(item.id)


def twin_problems(placed: Sequence[PlacedTest]) -> Iterator[Problem]:
    """Hidden tests whose public twin does not exist."""
    public = {item.test.id for item in placed if item.test.visibility is Visibility.PUBLIC}
    for item in placed:
        name = item.test.hidden_twin_of
        if name is not None and name not in public:
            yield item.problem("hidden_twin_of", f"there is no public test {quoted(name)}{nearest(name, public)}")


def seal_problems(placed: Iterable[PlacedTest]) -> Iterator[Problem]:
    """Yield the problems of sealed tests: digests of lines tell no more than whether a line is the expected one."""
    for item in placed:
        test = item.test
        if not test.sealed:
            continue
        if test.visibility is not Visibility.PUBLIC:
            yield item.problem(
                "sealed", "found `sealed` in a hidden test, which students never get; expected a public one"
            )
        what = _what_cannot_be_sealed(test)
        if what is not None:
            yield item.problem("sealed", f"a test with {what} cannot be sealed; only whole transcripts can")
        key = cannot_be_sealed(test.comparison)
        if key is not None:
            message = (
                f"a test that is compared with `{key}` cannot be sealed, because that takes the expected text itself"
            )
            yield item.problem("sealed", f"{message}; give it a `compare` of its own")


def _what_cannot_be_sealed(test: Test) -> str | None:
    match test.interaction:
        case FunctionCall():
            return "a call"
        case InteractorRun():
            return "an interactor"
        case OwnTests():
            return "`own_tests`"
        case Dialogue() | ReplSession() | StdinRun():
            if not isinstance(test.expectation, FromReference):
                return "`expected` or `expect`"
            if test.side_output != SideOutput():
                return "written files or standard error"
            if test.partial is not None and isinstance(test.partial.way, Milestones):
                return "`milestones`"
            return "a checker" if test.checker is not None else None
        case _:
            assert_never(test.interaction)


def unknown_names(content: AssignmentFile, placed: Iterable[PlacedTest]) -> Iterator[Problem]:
    """Files of tests whose program or part is not in assignment.yaml."""
    programs = [program.file for program in content.programs]
    parts = [part.id for part in content.parts]
    for document in {item.document.file: item.document for item in placed}.values():
        for key, names in (("program", programs), ("part", parts)):
            name = document.data[key] if isinstance(document.data, dict) else ""
            if name not in names:
                message = f"there is no {key} {quoted(str(name))} in assignment.yaml{nearest(str(name), names)}"
                yield Problem(document.place((key,)), message)


def what_only_python_has(content: AssignmentFile, placed: Iterable[PlacedTest]) -> Iterator[Problem]:
    """Tests that need Python, or a language whose functions can be called, of a program that another one may run."""
    programs = {program.file: program for program in content.programs}
    foreign = {program.file: _foreign(program) for program in content.programs}
    for item in placed:
        language = foreign.get(item.test.program)
        if language is None:
            continue
        match item.test.interaction:
            case ReplSession():
                yield item.problem("repl", f"{language}; only Python has a prompt")
            case FunctionCall() as call:
                yield from _call_problems(item, call, programs[item.test.program], language)
            case OwnTests():
                yield item.problem("own_tests", f"{language}; only tests in Python can be tried")
            case Dialogue() | StdinRun() | InteractorRun():
                pass
            case _:
                assert_never(item.test.interaction)


def _call_problems(item: PlacedTest, call: FunctionCall, program: ProgramEntry, found: str) -> Iterator[Problem]:
    """Yield the faults of a test that calls functions of a program in another language than Python."""
    key = "call" if len(call.calls) == 1 else "calls"
    languages = {
        language_at(build.language.place) if build and build.language else None for build in _recipes(program).values()
    }
    language = languages.pop()
    if languages or not isinstance(language, CallableLanguage):
        which = "functions of Python, or of C, C++ or Java built by the usual commands, can be called"
        yield item.problem(key, f"{found}; only {which}, all files of the program in the same language")
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


def own_tests_problems(placed: Iterable[PlacedTest]) -> Iterator[Problem]:
    """Tests of students' tests that would be tried on themselves."""
    for item in placed:
        match item.test.interaction:
            case OwnTests(module=module) if module == item.test.program:
                yield item.problem("own_tests", "found the program itself as `module`; expected what its tests import")


def _foreign(program: ProgramEntry) -> str | None:
    """Which file that may be handed in is not run by Python, in words; the first one."""
    recipes = _recipes(program).items()
    return next(
        (f"`{file}` is run by {quoted(' '.join(commands.run))}" for file, commands in recipes if commands), None
    )


def _recipes(program: ProgramEntry) -> dict[str, BuildCommands | None]:
    """Map each file that may be handed in to its build and run commands; None means Python."""
    files: list[ProgramEntry | AlternativeEntry] = [program, *program.alternatives]
    return {candidate.file: recipe(candidate.file, candidate.build, candidate.run, BUILD_LIMITS) for candidate in files}


def repeated_tests(placed: Iterable[PlacedTest]) -> Iterator[Problem]:
    """Tests whose id is taken by an earlier one."""
    first: dict[str, PlacedTest] = {}
    for item in placed:
        earlier = first.setdefault(item.test.id, item)
        if earlier is not item:
            where = earlier.document.place(earlier.steps)
            yield item.problem("id", f"there is another test with the id `{item.test.id}` ({where})")


def card_problems(document: YamlDocument, content: AssignmentFile, placed: Iterable[PlacedTest]) -> Iterator[Problem]:
    """Cards whose module is not provided, and cards in tests of an assignment that has none."""
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
    """Return whether a test itself says that a call returns cards."""
    if not isinstance(test.expectation, GivenTranscript):
        return False
    return any(holds_cards(step.returned) for step in read_expected_call(test.expectation.text).steps)


def read_stdin(tests_file: Path, name: str) -> StdinRun:
    """Return the input file `name` for the tests in `tests_file`. Raises NotBesideError."""
    return StdinRun(name, read_beside(tests_file, "inputs", name, "input file").decode("utf-8", "surrogateescape"))


def read_trial_program(tests_file: Path, name: str) -> TrialProgram:
    """Return the program `name` on which tests are tried, for the tests in `tests_file`. Raises NotBesideError."""
    file = tests_file.parent.parent / "own_tests" / name
    content = read_beside(tests_file, "own_tests", name, "program")
    try:
        text = content.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
        parse(text, name)
    except ValueError as error:
        raise NotBesideError(f"the program {file} is not in UTF-8 ({error})") from None
    except SyntaxError as error:
        raise NotBesideError(f"Python cannot read the program {file}, line {error.lineno}: {error.msg}") from None
    return TrialProgram(name, text)


def input_file_notes(folder: Path, placed: Iterable[PlacedTest]) -> Iterator[Problem]:
    """Yield notes on input files that were saved as on Windows: programs read what an editor does not show."""
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


def find_checker(tests_file: Path, name: str, options: Mapping[str, str]) -> CheckerSettings:
    """Return the checker `name` for the tests in `tests_file`. Raises NotBesideError."""
    # As it is named: the file may be a link to one of another course.
    course_folder = tests_file.absolute().parents[3]
    names = checker_names(course_folder)
    if name not in names:
        raise NotBesideError(f"there is no checker {quoted(name)}{nearest(name, names)}")
    return CheckerSettings(name, checker_file(course_folder, name), tuple(options.items()))


def find_interactor(
    tests_file: Path, name: str, options: Mapping[str, str], seed: str | None, visibility: Visibility
) -> InteractorSettings:
    """Return the interactor `name` for the tests in `tests_file`.

    Without a `seed`, a hidden test has one that all files of interactors are needed to tell. That of a public test,
    which students get, says nothing of other files than its own. Raises NotBesideError.
    """
    course_folder = tests_file.resolve().parents[3]
    names = interactor_names(course_folder)
    if name not in names:
        raise NotBesideError(f"there is no interactor {quoted(name)}{nearest(name, names)}")
    file = interactor_file(course_folder, name)
    try:
        content = folder_digest(file.parent)
    except UntraceableError as error:
        raise NotBesideError(f"found the link {error} beside the interactor {quoted(name)}; expected a file") from None
    if seed is None:
        seed = content_digest(file.read_bytes()) if visibility is Visibility.PUBLIC else content
    return InteractorSettings(name=name, file=file, content=content, options=tuple(options.items()), seed=seed)


def source(module: ProvidedEntry, references: Path) -> Path:
    """Return the file in the folder `references` that is provided as `module`."""
    return references / (module.source or module.file)
