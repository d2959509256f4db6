"""The parts of registries: registered classes, their options, and functions that are imported late.

Options are the fields of the dataclasses of late policies and of rules about code. The constraints here go into
`Annotated` on the type hints of these fields. Validation and schemas follow from them:

    percent_per_day: Annotated[Decimal, MoreThan(0), AtMost(100)]
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, Protocol


class Registered(Protocol):
    """A class in the list of a registry. Files call it `name`."""

    name: ClassVar[str]


@dataclass(frozen=True)
class LateFunction:
    """The function at `path`, such as `package.module:function`, whose module is imported when it is called."""

    path: str

    def __call__(self, *arguments: Any) -> Any:
        """Import the function and call it."""
        module, _, name = self.path.partition(":")
        return getattr(import_module(module), name)(*arguments)


@dataclass(frozen=True)
class MoreThan:
    """A number above `limit`."""

    limit: int


@dataclass(frozen=True)
class AtLeast:
    """A number that is not below `limit`."""

    limit: int


@dataclass(frozen=True)
class AtMost:
    """A number that is not above `limit`."""

    limit: int


@dataclass(frozen=True)
class ValidText:
    """A text that `is_valid` accepts; `expected` says which texts these are, for messages."""

    is_valid: Callable[[str], bool]
    expected: str


@dataclass(frozen=True)
class ProvidedFile:
    """The file name of a module that the assignment provides."""
