"""How programs in other languages are built and run where an assignment names no commands: by the ends of their names.

A program with `run` says all of it itself.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Annotated, assert_never

from pydantic import model_validator

from grader.config.scalars import Word
from grader.config.validation import DISTINCT, SpecModel
from grader.errors import quoted
from grader.model.program import (
    NOT_WATCHED,
    BuildCommands,
    CallBuild,
    CallLanguage,
    ErrorFinder,
    Limits,
    NotWatched,
    Sanitized,
    Sanitizer,
    UnderValgrind,
)

Arguments = tuple[str, ...]


class BuildEntry(SpecModel):
    """What the usual commands of a language are told: flags of the compiler, and what looks for errors in memory."""

    flags: tuple[Word, ...] = ()
    sanitizers: Annotated[tuple[Sanitizer, ...], DISTINCT] = ()
    valgrind: bool = False
    leaks: bool = True

    @model_validator(mode="after")
    def _one_finder(self) -> "BuildEntry":
        if self.sanitizers and self.valgrind:
            raise ValueError("found `sanitizers` and `valgrind`, which cannot run together; expected one of them")
        if not self.leaks and Sanitizer.ADDRESS not in self.sanitizers and not self.valgrind:
            raise ValueError("found `leaks` without `valgrind` or the sanitizer `address`, which look for them")
        return self

    @property
    def finder(self) -> ErrorFinder:
        """What looks for errors while the program runs."""
        if self.valgrind:
            return UnderValgrind(leaks=self.leaks)
        return Sanitized(self.sanitizers, leaks=self.leaks) if self.sanitizers else NOT_WATCHED


def refuse_half_commands(build: Arguments | BuildEntry | None, run: Arguments | None) -> None:
    """Raise ValueError when a command stands where settings should, or the other way round."""
    if isinstance(build, BuildEntry):
        if run:
            raise ValueError("found settings as `build` with `run`; expected both commands, or settings alone")
    elif build and not run:
        raise ValueError("found `build` without `run`; expected the command that runs what was built")


@dataclass(frozen=True)
class Language:
    """A language: the usual commands for a file, and whether its programs use memory by addresses.

    `build` gets the file, its name without the end, and the flags; None: nothing is built. `calls` is set where
    functions can be called.
    """

    build: Callable[[str, str, Arguments], Arguments] | None
    run: Callable[[str, str], Arguments]
    has_addresses: bool = False
    calls: CallLanguage | None = None


def _compiled(compiler: str, calls: CallLanguage) -> Language:
    def build(file: str, name: str, flags: Arguments) -> Arguments:
        # Libraries count after the files that use them.
        return (compiler, "-o", name, file, *flags, "-lm")

    return Language(build, lambda _, name: (f"./{name}",), has_addresses=True, calls=calls)


_CPLUSPLUS = _compiled("g++", CallLanguage.CPLUSPLUS)


_JAVA = Language(
    lambda file, _, flags: ("javac", *flags, file),
    # Its other ways to collect garbage start more threads and set aside more memory.
    lambda _, name: ("java", "-XX:+UseSerialGC", name),
    calls=CallLanguage.JAVA,
)


_JAVASCRIPT = Language(build=None, run=lambda file, _: ("node", file))


_RUST = Language(lambda file, name, flags: ("rustc", *flags, "-o", name, file), lambda _, name: (f"./{name}",))


_LANGUAGES = {
    ".c": _compiled("gcc", CallLanguage.C),
    ".cc": _CPLUSPLUS,
    ".cpp": _CPLUSPLUS,
    ".cxx": _CPLUSPLUS,
    ".java": _JAVA,
    ".js": _JAVASCRIPT,
    ".mjs": _JAVASCRIPT,
    ".rs": _RUST,
}


def language_of(file: str) -> Language | None:
    """Return the language of a program by the end of its name; None if that is Python or unknown."""
    return _LANGUAGES.get(PurePath(file).suffix)


def recipe(
    file: str, build: Arguments | BuildEntry | None, run: Arguments | None, limits: Limits
) -> BuildCommands | None:
    """How `file` is built and run: by its own commands, or the usual ones of its language; None if by Python."""
    if run is not None:
        return BuildCommands(build=None if isinstance(build, BuildEntry) else build, run=run, limits=limits)
    language = language_of(file)
    if language is None:
        return None
    settings = build if isinstance(build, BuildEntry) else BuildEntry()
    name = PurePath(file).stem
    flags = (*settings.flags, *_flags_of(settings.finder))
    command = language.build(file, name, flags) if language.build else None
    calls = None
    if language.calls and command:
        calls = CallBuild(language=language.calls, file=file, compiler=command[0], flags=flags)
    return BuildCommands(
        build=command, run=language.run(file, name), limits=limits, finder=settings.finder, calls=calls
    )


def _flags_of(finder: ErrorFinder) -> Iterator[str]:
    match finder:
        case Sanitized(sanitizers=sanitizers):
            yield from ("-g", "-fno-omit-frame-pointer", f"-fsanitize={','.join(sanitizers)}")
        case UnderValgrind():
            yield "-g"
        case NotWatched():
            pass
        case _:
            assert_never(finder)


def setting_faults(file: str, settings: BuildEntry) -> Iterator[tuple[str, str]]:
    """Yield the settings that the language of `file` does not have, as keys, and why not."""
    language = language_of(file)
    found = f"found {quoted(file)}"
    if language is None:
        said = f"{found}, a language whose commands are not known; expected `build` and `run` as lists of words"
        yield next(iter(settings.model_fields_set), "flags"), said
        return
    if language.build is None and settings.flags:
        yield "flags", f"{found}, of which nothing is built; expected no `flags`"
    for key in ("sanitizers", "valgrind"):
        if getattr(settings, key) and not language.has_addresses:
            yield key, f"{found}; expected `{key}` with a program in C or C++"
