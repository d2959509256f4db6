"""The commands that build and run programs in other languages, unless the assignment specifies its own."""

from collections.abc import Iterator
from pathlib import PurePath
from typing import Annotated, assert_never

from pydantic import model_validator

from grader.config.scalars import Word
from grader.config.validation import DISTINCT, SpecModel
from grader.errors import quoted
from grader.extensions import LANGUAGES, Extension, find_extension
from grader.model.program import (
    BuildCommands,
    ErrorFinder,
    LanguageBuild,
    Limits,
    NotWatched,
    Sanitized,
    Sanitizer,
    UnderValgrind,
)
from grader.run.language import Arguments, Language, language_at

_PYTHON = ("", ".py")

BUILD_LIMITS = Limits(
    wall_seconds=60,
    output_bytes=100_000,
    memory_bytes=4 << 30,
    stack_bytes=64 << 20,
    file_bytes=128 << 20,
    open_files=1024,
    processes=256,
)
"""The default limits for a compiler."""


class BuildEntry(SpecModel):
    """Settings for the default build command of a language: compiler flags, and tools that detect memory errors."""

    flags: tuple[Word, ...] = ()
    """Additional compiler arguments. They come after the file, and can include further files."""
    sanitizers: Annotated[tuple[Sanitizer, ...], DISTINCT] = ()
    """Checks that the compiler builds into a program in C or C++: `address` for memory errors, `undefined` for
    undefined behaviour.
    """
    valgrind: bool = False
    """`true`: a program in C or C++ runs in valgrind, which detects errors."""
    leaks: bool = True
    """`false`: memory that is never freed is not an error."""

    @model_validator(mode="after")
    def _one_finder(self) -> "BuildEntry":
        if self.sanitizers and self.valgrind:
            raise ValueError("found `sanitizers` and `valgrind`, which cannot run together; expected one of them")
        if not self.leaks and Sanitizer.ADDRESS not in self.sanitizers and not self.valgrind:
            raise ValueError("found `leaks` without `valgrind` or the sanitizer `address`, which look for them")
        return self

    @property
    def finder(self) -> ErrorFinder:
        """Return the tool that detects errors while the program runs."""
        if self.valgrind:
            return UnderValgrind(leaks=self.leaks)
        return Sanitized(self.sanitizers, leaks=self.leaks) if self.sanitizers else NotWatched()


def refuse_half_commands(build: Arguments | BuildEntry | None, run: Arguments | None) -> None:
    """Raise ValueError for build settings with a run command, and for a build command without a run command."""
    if isinstance(build, BuildEntry):
        if run:
            raise ValueError(
                "found settings as `build` with `run`; expected both commands, or settings alone. Commands of your own "
                "have it in them: `-fsanitize=address` where they compile, or `run: [valgrind, --leak-check=full, ./x]`"
            )
    elif build and not run:
        raise ValueError("found `build` without `run`; expected the command that runs what was built")


def language_of(file: str) -> Language | None:
    """Return the language for a program's suffix, or None if it is Python or unknown to all plugins."""
    plugin = _plugin(file)
    return _language(plugin) if plugin else None


def _plugin(file: str) -> Extension | None:
    ending = PurePath(file).suffix
    return None if ending in _PYTHON else find_extension(LANGUAGES, ending[1:])


def _language(plugin: Extension) -> Language:
    plugin.load_class(Language)
    return language_at(plugin.place)


def recipe(
    file: str, build: Arguments | BuildEntry | None, run: Arguments | None, limits: Limits
) -> BuildCommands | None:
    """Return the commands that build and run `file`, its own or its language's, or None if it runs in Python."""
    if run is not None:
        return BuildCommands(build=None if isinstance(build, BuildEntry) else build, run=run, limits=limits)
    plugin = _plugin(file)
    if plugin is None:
        return None
    language = _language(plugin)
    settings = build if isinstance(build, BuildEntry) else BuildEntry()
    flags = (*settings.flags, *_flags_of(settings.finder))
    return BuildCommands(
        build=language.build_command(file, flags),
        run=language.run_command(file),
        limits=limits,
        finder=settings.finder,
        language=LanguageBuild(place=plugin.place, file=file, flags=flags),
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
    """Yield the settings that the language of `file` does not support, by key with a message."""
    language = language_of(file)
    found_words = f"found {quoted(file)}"
    if language is None:
        message = (
            f"{found_words}, a language whose commands are not known; expected `build` and `run` as lists of words"
        )
        yield next(iter(settings.model_fields_set), "flags"), message
        return
    if settings.flags and language.build_command(file, ()) is None:
        yield "flags", f"{found_words}, of which nothing is built; expected no `flags`"
    for key in ("sanitizers", "valgrind"):
        if getattr(settings, key) and not language.has_addresses:
            yield key, f"{found_words}; expected `{key}` with a program in C or C++"
