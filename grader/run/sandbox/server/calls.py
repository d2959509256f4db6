"""Makes the calls of function tests in forks, and hides the required modules from other programs."""

from __future__ import annotations

import gc
import os
import sys

from preparation import TELLING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from module_shelf import ModuleShelf

CHILD = "child"
FOLDER = os.path.dirname(os.path.abspath(__file__))


class CallMaker:
    """The module `child`, which makes calls, and the modules it imports, as in a separate process."""

    def __init__(self, shelf: ModuleShelf) -> None:
        self._shelf = shelf

    def load(self) -> None:
        """Load the modules on first use, hidden from all programs."""
        if CHILD in self._shelf:
            return
        sys.path.insert(0, FOLDER)
        self._shelf.load([CHILD])
        sys.path.remove(FOLDER)
        sys.path_importer_cache.pop(FOLDER, None)
        gc.freeze()

    def enter(self, argv: list[str]) -> Callable[..., Any]:
        """Make the hidden modules visible in a test's process, and return the function that makes the call.

        If the call contains a name that could reveal the prepared interpreter, execute the command `argv` instead.
        """
        child: Any = self._shelf.give(CHILD)
        del sys.modules[CHILD]
        names_in = child.re.compile(r"\w+").findall
        with open(argv[2], encoding="utf-8") as file:
            request = child.json.load(file)
        if not all(TELLING.isdisjoint(names_in(text)) for text in texts_in(request)):
            os.execv(argv[0], argv)
        make_call: Callable[..., Any] = child.main
        return make_call


def texts_in(plain: object) -> Iterator[str]:
    """Yield all strings in a JSON value."""
    if isinstance(plain, str):
        yield plain
    elif isinstance(plain, dict):
        yield from texts_in([*plain, *plain.values()])
    elif isinstance(plain, list):
        for item in plain:
            yield from texts_in(item)
