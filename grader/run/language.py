"""The languages that plugins register: how to build and run their programs, and how to call their functions."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import PurePath
from pkgutil import resolve_name

from grader.errors import GraderError
from grader.model.interaction import FunctionCall
from grader.model.program import BuildCommands, LanguageBuild, NotWatched
from grader.run.error_watch import ErrorWatch
from grader.run.interface import SubmissionFiles

Arguments = tuple[str, ...]

OF_COMMANDS = "grader.plugins.native.course_build:CourseBuild"
"""The import path of the `ErrorWatch` for programs built with the course's own commands."""


class LanguageError(GraderError):
    """The language of a program cannot be imported."""


class Language:
    """A language whose programs are built and run with commands.

    `name` is used in messages, and `tools` lists the programs that the commands start. If `has_addresses` is true,
    compilers and valgrind can check how programs use memory, and `watcher` is the import path of the `ErrorWatch` for
    this.
    """

    name: str
    tools: tuple[str, ...] = ()
    has_addresses = False
    watcher = "grader.plugins.native.error_finder:WatchedProgram"

    def build_command(self, file: str, flags: Arguments, /) -> Arguments | None:
        """Return the command that builds `file`; None if there is nothing to build."""

    def run_command(self, file: str, /) -> Arguments:
        """Return the command that runs the program, by default the built file with the same name as `file`."""
        return (f"./{PurePath(file).stem}",)

    def fit(self, recipe: BuildCommands, _build: LanguageBuild, _files: SubmissionFiles, /) -> BuildCommands:
        """Return the commands adapted to the files of a submission."""
        return recipe


class CallableLanguage(Language):
    """A language for which the grader can generate a main program that calls functions of the student's program."""

    has_exceptions = True

    @abstractmethod
    def main_sources(self, build: LanguageBuild, calls: Sequence[FunctionCall], /) -> Mapping[str, str]:
        """Return the files that a main program needs in addition to the submission, as text by name."""

    @abstractmethod
    def main_build(self, build: LanguageBuild, calls: Sequence[FunctionCall], /) -> Arguments:
        """Return the command that builds the main program."""

    @abstractmethod
    def main_run(self, number: int, run: Arguments, /) -> Arguments:
        """Return the command that makes the calls of the test `number`, given the command that runs the program."""

    @abstractmethod
    def faulty_tests(self, output: str, /) -> frozenset[int]:
        """Return the numbers of the tests mentioned in the compiler's output."""

    @abstractmethod
    def plain_output(self, output: str, calls: Sequence[FunctionCall], /) -> str:
        """Return the compiler's output about a main program for at most one test, with the calls labelled."""

    def plain_report(self, report: str, /) -> str:
        """Return the report on a run without the names of generated files."""
        return report


@cache
def language_at(place: str) -> Language:
    """Return the language with a class import path such as `package.module:Class`. Raises LanguageError."""
    try:
        language: Language = resolve_name(place)()
    except Exception as error:
        raise LanguageError(f"The language {place} cannot be loaded: {type(error).__name__}: {error}") from error
    return language


def watch_of(recipe: BuildCommands | None) -> ErrorWatch:
    """Return the watch for programs built and run with this recipe. Raises LanguageError."""
    if recipe is None or (recipe.finder == NotWatched() and (recipe.language or recipe.build is None)):
        return ErrorWatch()
    place = language_at(recipe.language.place).watcher if recipe.language else OF_COMMANDS
    try:
        watch: ErrorWatch = resolve_name(place)(recipe)
    except ImportError as error:
        if recipe.language is None:
            return ErrorWatch()
        raise LanguageError(f"Nothing can watch programs here: {error}") from error
    return watch
