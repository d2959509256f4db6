"""Prepares the programs of a submission: compiles them, and loads the standard modules that they import."""

from __future__ import annotations

import resource
import sys
import warnings

from folders import WORK

TYPE_CHECKING = False
if TYPE_CHECKING:
    import types
    from collections.abc import Set

# Loading these has no effect that a program could see, other than that its own import of them takes no time.
PRELOADED_NAMES = """
    abc argparse bisect calendar collections colorsys contextlib copy csv dataclasses datetime decimal enum fractions
    functools heapq itertools json keyword math numbers operator os pathlib pprint queue random re secrets shutil
    statistics string struct sys textwrap threading time traceback types typing unicodedata
"""
PRELOADED = frozenset(PRELOADED_NAMES.split())

# A program that uses these could see what a fork has more than a fresh interpreter: frames, modules and objects of
# the server, two levels of recursion less, and a shorter end, which does not take the interpreter apart.
TELLING_NAMES = """
    __del__ RecursionError _current_frames _getframe extract_stack f_back faulthandler format_stack gc inspect
    is_finalizing modules path_importer_cache print_stack tracemalloc unraisablehook walk_stack warnings weakref
"""
TELLING = frozenset(TELLING_NAMES.split())


def prepare_within(
    files: dict[str, tuple[bytes, int]], memory_bytes: int, at_start: Set[str]
) -> dict[str, types.CodeType]:
    """Prepare with no more memory than a program has; see `prepare`."""
    if memory_bytes == 0:
        return {}
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, hard))
    try:
        return prepare(files, at_start)
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def prepare(files: dict[str, tuple[bytes, int]], at_start: Set[str]) -> dict[str, types.CodeType]:
    """Compile the programs and load what they import; return the code by file name.

    Of the modules that are loaded, only those `at_start` stay: the others are the server's.

    Source that does not compile, or only with a warning, has none: Python itself is to say so, in each test. Nor has
    what is not UTF-8: `compile` takes any bytes in a comment, where Python refuses a file that names no encoding.
    A submission with a file named like a standard module gets nothing loaded: it may mean to replace it.
    """
    prepared = {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name, (source, _) in files.items():
            if name.endswith(".py"):
                try:
                    source.decode()
                    prepared[name] = compile(source, f"{WORK}/{name}", "exec", dont_inherit=True)
                except Exception:
                    continue
    # The interpreter remembers the filters it saw last; this one shows it the original ones again.
    warnings.warn("", ImportWarning, stacklevel=1)
    for name in set(sys.modules) - at_start:
        del sys.modules[name]
    names = set().union(*(names_in(code) for code in prepared.values()))
    if names & TELLING:
        return {}
    if not any(name.split("/")[0].removesuffix(".py") in sys.stdlib_module_names for name in files):
        for name in sorted(names & PRELOADED):
            __import__(name)
    return prepared


def names_in(code: types.CodeType) -> set[str]:
    """Return the names that code mentions, those it imports among them."""
    found = set(code.co_names)
    for constant in code.co_consts:
        if hasattr(constant, "co_names"):
            found |= names_in(constant)
    return found
