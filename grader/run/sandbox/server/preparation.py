"""Prepares a submission's programs: compiles them, and preloads the standard modules they import."""

from __future__ import annotations

import resource
import sys
import warnings

from folders import WORK
from module_shelf import PRELOADED

TYPE_CHECKING = False
if TYPE_CHECKING:
    import types

    from module_shelf import ModuleShelf

# A program that uses these names could see how a fork differs from a fresh interpreter: it has extra frames, modules,
# classes and objects from the server, two levels of recursion less, and a shorter shutdown that does not dismantle the
# interpreter.
TELLING_NAMES = """
    __del__ __subclasses__ RecursionError _current_frames _getframe async ctypes daemon extract_stack f_back
    faulthandler format_stack gc getrefcount inspect is_finalizing modules path_importer_cache print_stack setprofile
    settrace start_new_thread tracemalloc unraisablehook walk_stack warnings weakref
"""
TELLING = frozenset(TELLING_NAMES.split())
# The flags that `async def` sets on code: CO_COROUTINE and CO_ASYNC_GENERATOR in the `inspect` module.
ASYNC = 0x80 | 0x200
# Python takes quadratic time for combining marks on a letter in a name, and this process has no time limit.
NO_ASCII = bytes([0] * 128 + [1] * 128)
TOO_LONG_WITHOUT_ASCII = bytes([1]) * 2000


def prepare_within(
    files: dict[str, tuple[bytes, int]], memory_bytes: int, shelf: ModuleShelf
) -> tuple[dict[str, types.CodeType], list[str]]:
    """Prepare without using more memory than a program gets; see `prepare`."""
    if memory_bytes == 0:
        return {}, []
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, hard))
    try:
        return prepare(files, shelf)
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def prepare(files: dict[str, tuple[bytes, int]], shelf: ModuleShelf) -> tuple[dict[str, types.CodeType], list[str]]:
    """Compile the programs and reveal their imports; return the code by file name, and the names of these modules.

    Only the modules of a fresh interpreter remain visible, because the others belong to the server.

    Source that does not compile, or compiles with a warning, is not prepared, so that Python itself reports the problem
    in each test. Nor is source that is not UTF-8, because `compile` accepts any bytes in a comment where Python rejects
    a file without a declared encoding, or source that could take a long time to compile, because tests have a time
    limit and preparation does not.

    Nothing is prepared if a file or folder has the name of a standard module, because it may be intended to replace it.
    """
    prepared, unknown = {}, []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name, (source, _) in files.items():
            if name.endswith(".py") and TOO_LONG_WITHOUT_ASCII in source.translate(NO_ASCII):
                unknown.append(source)
            elif name.endswith(".py"):
                try:
                    source.decode()
                    prepared[name] = compile(source, f"{WORK}/{name}", "exec", dont_inherit=True)
                except Exception:
                    unknown.append(source)
    # The interpreter remembers the last filters it saw, so show it the original ones again.
    warnings.warn("", ImportWarning, stacklevel=1)
    shelf.show_fresh_interpreter()
    names = set().union(*(names_in(code) for code in prepared.values()))
    names.update(name for name in TELLING if any(name.encode() in source for source in unknown))
    parts = {part.removesuffix(".py") for name in files for part in name.split("/")}
    if names & TELLING or parts & sys.stdlib_module_names:
        return {}, []
    modules = sorted(names & PRELOADED)
    for name in modules:
        shelf.give(name)
    return prepared, modules


def names_in(code: types.CodeType) -> set[str]:
    """Return the names in code, including imports and keyword arguments, and `async` if it has coroutines."""
    names = {*code.co_names, *(["async"] if code.co_flags & ASYNC else [])}
    for constant in code.co_consts:
        if isinstance(constant, tuple):
            names.update(name for name in constant if isinstance(name, str))
        elif hasattr(constant, "co_names"):
            names |= names_in(constant)
    return names
