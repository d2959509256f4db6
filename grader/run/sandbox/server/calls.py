"""Makes the calls of function tests in forks, and keeps what does so out of the sight of other programs."""

from __future__ import annotations

import gc
import os
import sys

from preparation import TELLING

TYPE_CHECKING = False
if TYPE_CHECKING:
    import types
    from collections.abc import Callable, Iterator
    from typing import Any

FOLDER = os.path.dirname(os.path.abspath(__file__))


class CallMaker:
    """The module `child`, which makes calls, and the modules that it loads: those that a process of its own has."""

    def __init__(self) -> None:
        self._modules: dict[str, types.ModuleType] = {}

    def load(self) -> None:
        """Load the modules, if that is not done; afterwards no program sees that they are."""
        if self._modules:
            return
        path, before = list(sys.path), set(sys.modules)
        sys.path.insert(0, FOLDER)
        __import__("child")
        sys.path[:] = path
        sys.path_importer_cache.pop(FOLDER, None)
        self._modules = {name: sys.modules.pop(name) for name in set(sys.modules) - before}
        for parent, name, _ in self._parts_of_others():
            delattr(parent, name)
        gc.collect()
        gc.freeze()

    def enter(self, argv: list[str]) -> Callable[..., Any]:
        """In the process of a test: show the modules, and return the function that makes the call.

        A call that mentions what could tell the difference is executed.
        """
        child: Any = self._modules.pop("child")
        with open(argv[2], encoding="utf-8") as file:
            request = child.json.load(file)
        names_in = child.re.compile(r"\w+").findall
        if not all(TELLING.isdisjoint(names_in(text)) for text in texts_in(request)):
            os.execv(argv[0], argv)
        for parent, name, module in self._parts_of_others():
            setattr(parent, name, module)
        sys.modules.update(self._modules)
        make_call: Callable[..., Any] = child.main
        return make_call

    def _parts_of_others(self) -> list[tuple[types.ModuleType, str, types.ModuleType]]:
        """The modules in packages that programs see anyway, which have them as attributes."""
        found = []
        for full_name, module in self._modules.items():
            package, _, name = full_name.rpartition(".")
            if package in sys.modules and package not in self._modules:
                found.append((sys.modules[package], name, module))
        return found


def texts_in(plain: object) -> Iterator[str]:
    """Return all texts in what JSON holds."""
    if isinstance(plain, str):
        yield plain
    elif isinstance(plain, dict):
        yield from texts_in([*plain, *plain.values()])
    elif isinstance(plain, list):
        for item in plain:
            yield from texts_in(item)
