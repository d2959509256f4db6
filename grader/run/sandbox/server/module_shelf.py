"""Hides loaded modules until a program imports them, which then looks as if the program had loaded them itself."""

from __future__ import annotations

import builtins
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import types
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
    from typing import Any

# A program cannot see that these are already loaded, except that importing them is instant.
PRELOADED_NAMES = """
    abc argparse bisect calendar collections colorsys contextlib copy csv dataclasses datetime decimal enum fractions
    functools heapq itertools json keyword math numbers operator os pathlib pprint queue random re secrets shutil
    statistics string struct sys textwrap threading time traceback types typing unicodedata
"""
PRELOADED = frozenset(PRELOADED_NAMES.split())


class ModuleShelf:
    """Modules by name, with the modules that each of them loads."""

    def __init__(self, at_start: Set[str]) -> None:
        """Take the names of the modules in a fresh interpreter as `at_start`."""
        self._at_start = at_start
        self._modules: dict[str, types.ModuleType] = {}
        self._loads: dict[str, list[str]] = {}
        self._seen: set[str] = set()

    def load(self, names: Iterable[str]) -> None:
        """Load modules as a fresh interpreter would, and hide every trace."""
        path, shown = list(sys.path), self.show_fresh_interpreter()
        self._show(self._modules)
        import_module = builtins.__import__
        builtins.__import__ = self._recording_import(import_module)
        try:
            for name in names:
                __import__(name)
        finally:
            builtins.__import__ = import_module
            sys.path[:] = path
            self._modules.update(self.show_fresh_interpreter())
            self._show(shown)

    def give(self, name: str) -> types.ModuleType:
        """Reveal and return a module, along with the modules it loads. It is loaded first if necessary."""
        if name not in self._modules:
            self.load([name])
        self._show({loaded: self._modules[loaded] for loaded in self._loaded_with(name) if loaded in self._modules})
        return sys.modules[name]

    def show_fresh_interpreter(self) -> dict[str, types.ModuleType]:
        """Hide and return all modules except those of a fresh interpreter."""
        hidden = {name: module for name, module in sys.modules.items() if name not in self._at_start}
        for name, module in hidden.items():
            package, _, part = name.rpartition(".")
            if package in sys.modules and getattr(sys.modules[package], part, None) is module:
                delattr(sys.modules[package], part)
        for name in hidden:
            del sys.modules[name]
        return hidden

    def __contains__(self, name: str) -> bool:
        """Return whether a module was loaded here."""
        return name in self._modules

    def _recording_import(self, import_module: Callable[..., Any]) -> Callable[..., Any]:
        """Return a replacement for the import function that records which modules the running module loads."""

        def import_and_note(name: str, *rest: Any, **named: Any) -> Any:
            before = set(sys.modules)
            module = import_module(name, *rest, **named)
            self._note(before, imported_names(name, *rest, **named))
            return module

        return import_and_note

    def _note(self, before: set[str], names: list[str]) -> None:
        # Some modules add others to the table of modules themselves.
        unnamed = [module for module in sys.modules if module not in before and module not in self._seen]
        self._seen.update(names, unnamed)
        self._loads.setdefault(names[-1], []).extend(module for module in unnamed if module not in names)
        self._loads.setdefault(running_module(), []).extend(names)

    def _loaded_with(self, name: str) -> Iterator[str]:
        """Yield a module and everything it loads, without duplicates."""
        names: dict[str, None] = {}
        waiting = [name]
        while waiting:
            module = waiting.pop()
            if module not in names:
                names[module] = None
                waiting += reversed(self._loads.get(module, []))
        return iter(names)

    def _show(self, modules: Mapping[str, types.ModuleType]) -> None:
        sys.modules.update(modules)
        for name, module in modules.items():
            package, _, part = name.rpartition(".")
            if package in sys.modules:
                setattr(sys.modules[package], part, module)


def imported_names(
    name: str,
    variables: Mapping[str, Any] | None = None,
    _: Mapping[str, Any] | None = None,
    items: Sequence[str] | None = (),
    level: int = 0,
) -> list[str]:
    """Return the full names of the modules that an import statement loads, with its own target last."""
    if level and variables is not None:
        package = variables.get("__package__") or variables["__name__"]
        base = package.rsplit(".", level - 1)[0]
        name = f"{base}.{name}" if name else base
    parts = name.split(".")
    inner = [f"{name}.{item}" for item in items or () if f"{name}.{item}" in sys.modules]
    return [*inner, *(".".join(parts[: number + 1]) for number in range(len(parts)))]


def running_module() -> str:
    """Return the name of the module whose code is being executed for the first time."""
    frame = sys._getframe(3)  # noqa: SLF001 - there is no other way to the frames below
    while frame.f_back is not None and frame.f_code.co_name != "<module>":
        frame = frame.f_back
    name: str = frame.f_globals["__name__"]
    return name
