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
        # The modules in packages that programs see anyway, which have them as attributes.
        self._parts: list[tuple[types.ModuleType, str]] = []
        self._child: Any = None
        self._names_in: Any = None

    def load(self) -> None:
        """Load the modules, if that is not done; afterwards no program sees that they are."""
        if self._child is not None:
            return
        path, before = list(sys.path), set(sys.modules)
        sys.path.insert(0, FOLDER)
        __import__("child")
        sys.path[:] = path
        sys.path_importer_cache.pop(FOLDER, None)
        self._modules = {name: sys.modules.pop(name) for name in set(sys.modules) - before}
        self._child = self._modules.pop("child")
        self._names_in = self._child.re.compile(r"\w+").findall
        for full_name in self._modules:
            package, _, name = full_name.rpartition(".")
            if package in sys.modules and package not in self._modules:
                self._parts.append((sys.modules[package], name))
                delattr(sys.modules[package], name)
        gc.collect()
        gc.freeze()

    def enter(self, argv: list[str]) -> Callable[..., Any]:
        """In the process of a test: show the modules, and return the function that makes the call.

        A call that mentions what could tell the difference is executed.
        """
        with open(argv[2], encoding="utf-8") as file:
            request = self._child.json.load(file)
        if not all(TELLING.isdisjoint(self._names_in(text)) for text in texts_in(request)):
            os.execv(argv[0], argv)
        for package, name in self._parts:
            setattr(package, name, self._modules[f"{package.__name__}.{name}"])
        sys.modules.update(self._modules)
        make_call: Callable[..., Any] = self._child.main
        return make_call


def texts_in(plain: object) -> Iterator[str]:
    """Return all texts in what JSON holds."""
    if isinstance(plain, str):
        yield plain
    elif isinstance(plain, dict):
        yield from texts_in([*plain, *plain.values()])
    elif isinstance(plain, list):
        for item in plain:
            yield from texts_in(item)
