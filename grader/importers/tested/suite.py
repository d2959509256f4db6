"""What a suite of TESTed says, whichever way it is written: contexts, and the steps of each."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, TypeAlias


class NoValue(Enum):
    """What stands in place of a value."""

    NOTHING = auto()
    """Nothing is returned."""
    IGNORED = auto()
    """What is returned does not count."""


@dataclass(frozen=True)
class Tagged:
    """A value with a type of its own, such as `!tuple`."""

    tag: str
    value: Any


@dataclass(frozen=True)
class PythonValue:
    """A value as an expression of Python, which has nothing but literals."""

    source: str


@dataclass(frozen=True, kw_only=True)
class Oracle:
    """A function of the course that judges: `file` is in evaluation/."""

    file: str
    function: str
    arguments: tuple[PythonValue, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ExpectedText:
    """A text, how it is compared, and the oracle that does it, if any."""

    text: str
    options: Mapping[str, Any] = field(default_factory=dict)
    oracle: Oracle | None = None


@dataclass(frozen=True, kw_only=True)
class ExpectedReturn:
    """What a call must return; `value` is an expression of Python with nothing but literals."""

    value: PythonValue | NoValue
    oracle: Oracle | None = None


@dataclass(frozen=True)
class ExpectedError:
    """The exception that must be raised: its class in Python, and its message; None is any."""

    type: str | None
    message: str | None


@dataclass(frozen=True)
class MainCall:
    """The program is started."""

    stdin: str
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Code:
    """A line of Python; a statement has no value."""

    source: str
    is_statement: bool


@dataclass(frozen=True)
class OtherCode:
    """What cannot be said in Python, with the reason."""

    why: str


Action: TypeAlias = MainCall | Code | OtherCode


@dataclass(frozen=True)
class WantedFile:
    """A file by the name that a program sees, and its text; a path in evaluation/ in place of it."""

    name: str
    text: str | None
    path: str = ""


@dataclass(frozen=True, kw_only=True)
class Step:
    """One test case: what is done, and what must come of it."""

    action: Action
    title: str = ""
    stdout: ExpectedText | None = None
    stderr: ExpectedText | None = None
    exit_status: int | None = None
    returned: ExpectedReturn = ExpectedReturn(value=NoValue.NOTHING)
    error: ExpectedError | None = None
    input_files: tuple[WantedFile, ...] = ()
    output_files: tuple[WantedFile, ...] = ()
    unsaid: tuple[str, ...] = ()
    """What there is no word for here."""


@dataclass(frozen=True)
class Context:
    """Steps that are done in one process, one after the other, and the tab they are shown in."""

    tab: str
    steps: tuple[Step, ...]
