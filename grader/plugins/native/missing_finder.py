"""Looks for error finders that are not installed here."""

from functools import cache

from grader.model.program import BuildCommands, Sanitized, Sanitizer, UnderValgrind
from grader.run.toolchain import answer_of, find_tool

_LIBRARIES = {Sanitizer.ADDRESS: "libasan.so", Sanitizer.UNDEFINED: "libubsan.so"}


def missing_finder(recipe: BuildCommands) -> str | None:
    """Return the name of an error finder that is not installed here, or None if nothing is missing."""
    match recipe.finder:
        case UnderValgrind():
            is_installed = find_tool("valgrind") is not None
            return None if is_installed else "valgrind is not installed (on Debian: apt-get install valgrind)"
        case Sanitized(sanitizers=sanitizers):
            compiler = recipe.build[0] if recipe.build else ""
            missing = next(
                (sanitizer for sanitizer in sanitizers if not _has_library(find_tool(compiler), _LIBRARIES[sanitizer])),
                None,
            )
            return None if missing is None else f"{compiler} has no sanitizer `{missing}` ({_LIBRARIES[missing]})"
        case _:
            return None


@cache
def _has_library(compiler: str | None, library: str) -> bool:
    """Return whether a compiler has a library, because it prints only the bare name otherwise."""
    return compiler is not None and "/" in answer_of([compiler, f"-print-file-name={library}"])
