"""Output checks that plugins register under `grader.checks`: `expect: [{check: NAME, ...}]` in a tests file."""

from abc import ABC, abstractmethod
from pkgutil import resolve_name
from typing import ClassVar

from grader.model.codec import from_json, place_of, to_json
from grader.model.expectation import PluginCheck


class PrintedCheck(ABC):
    """A check of a program's output: a frozen dataclass whose fields are its options.

    `name` is the word for it in a tests file.
    """

    name: ClassVar[str]
    needs_reference: ClassVar[bool] = False

    @abstractmethod
    def fault(self, printed: str, expected: str) -> str | None:
        """Return the rest of a sentence that begins with "The output", without its full stop; None if the check passes.

        `expected` is the output of the reference, and empty unless the class needs it.
        """


def model_of(check: PrintedCheck) -> PluginCheck:
    """Return the check in the form stored in a test."""
    return PluginCheck(place_of(type(check)), to_json(check), check.needs_reference)


def fault_by_plugin(check: PluginCheck, printed: str, expected: str) -> str | None:
    """Return the fault that the plugin finds; None if the check passes."""
    kind: type[PrintedCheck] = resolve_name(check.place)
    return from_json(kind, check.options).fault(printed, expected if check.needs_reference else "")
