"""Building blocks of registries: registered classes, their options, and functions imported on demand.

Options are the fields of the dataclasses for late policies and code rules. The constraints here go into `Annotated` in
the type hints of these fields. Validation and schemas are derived from them:

    percent_per_day: Annotated[Decimal, MoreThan(0), AtMost(100)]
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, Protocol


class Registered(Protocol):
    """A class in a registry. Files refer to it by `name`."""

    name: ClassVar[str]


@dataclass(frozen=True)
class LateFunction:
    """The function at `path`, such as `package.module:function`, whose module is only imported when it is called."""

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
    """A number of at least `limit`."""

    limit: int


@dataclass(frozen=True)
class AtMost:
    """A number of at most `limit`."""

    limit: int


@dataclass(frozen=True)
class ValidText:
    """A text accepted by `is_valid`; `expected` describes valid texts in messages."""

    is_valid: Callable[[str], bool]
    expected: str


@dataclass(frozen=True)
class ProvidedFile:
    """The file name of a module provided by the assignment."""
