"""Runs in the students' interpreter, where it imports a program, calls its functions and reports the results.

This file is copied into the program's folder and only needs the standard library. The command line contains the file
with the request, and the report goes to file descriptor 3. Both files are removed and the descriptor is moved before
the program is imported, so the program finds nothing to read, and can only write its own report by searching all open
files and memory.

The prepared interpreter of a sandbox imports this file and calls `main` in a fork, which a program cannot detect.
"""

import os
import sys

# Imported from the standard library even if the program has modules with the same names.
_PATH = list(sys.path)
_FOLDER = os.path.dirname(os.path.abspath(__file__))
_AT_START = frozenset(sys.modules)
sys.path[:] = [entry for entry in _PATH if os.path.abspath(entry) != _FOLDER]

import builtins
import contextlib
import fcntl
import gc
import importlib
import importlib.util
import io
import json
import re
import resource
import traceback
import types
from collections.abc import Callable, Iterator, Mapping, Set
from enum import Enum
from functools import cached_property
from random import SystemRandom
from typing import Any, NoReturn

_SUITS = "♣♦♥♠"
_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_DEEPEST = 50
_LONGEST_TEXT = 1000
_MOST_DIGITS = 600
_MOST_INSTANCES = 10_000
_MOST_REPORTED = 9_000_000
_TOO_LARGE = {"object": "a value too large to compare"}
_SHOWN = (complex, bytes, bytearray, range)
_REPORT = 3
_SCALARS = ((int, int.__index__), (str, str.__str__), (float, float.__float__), (bytes, bytes.__bytes__))
_MOST_FDS = 250
_BASES = type.__dict__["__bases__"].__get__
_BUILTINS = {id(kind): kind.__name__ for kind in vars(builtins).values() if isinstance(kind, type)}


class Cards:
    """Creates and reads the cards and decks of a module with its classes as they were before the program ran."""

    def __init__(self, module: Any, card: str, deck: str) -> None:
        self._card, self._deck = getattr(module, card), getattr(module, deck, None)
        self._rank, self._suit = self._card.rank, self._card.suit
        self._face_up = getattr(self._card, "is_face_up", lambda _: True)
        self._flip = getattr(self._card, "flip_card", lambda _: None)

    def card(self, name: str) -> Any:
        """Return the card with a name such as `10♠` or `3♥ face down`; `XX` is a blank card."""
        if name == "XX":
            return self._card()
        shown = name.split()[0]
        card = self._card(_RANKS.index(shown[:-1]) + 1, _SUITS.index(shown[-1]) + 1)
        if name != shown:
            self._flip(card)
        return card

    def deck(self, names: list[str]) -> Any:
        """Return a deck with these cards, starting with the top card."""
        if self._deck is None:
            raise TypeError("the module of the cards has no class for decks")
        deck = self._deck()
        self._list_inside(deck)[:] = [self.card(name) for name in reversed(names)]
        return deck

    def name(self, value: Any) -> str | None:
        """Return the name of a card, or None if `value` is not a card."""
        if not isinstance(value, self._card):
            return None
        rank, suit = self._rank(value), self._suit(value)
        if not (isinstance(rank, int) and isinstance(suit, int) and 1 <= rank <= 13 and 1 <= suit <= 4):
            return "XX"
        return _RANKS[rank - 1] + _SUITS[suit - 1] + ("" if self._face_up(value) else " face down")

    def cards_inside(self, value: Any) -> list[Any] | None:
        """Return the cards of a deck, starting with the top card, or None if `value` is not a deck."""
        if self._deck is None or not isinstance(value, self._deck):
            return None
        return self._list_inside(value)[::-1]

    def _list_inside(self, deck: Any) -> list[Any]:
        """Return the list that holds a deck's cards; if there are several, the one that a new deck also has."""
        lists: dict[str, list[Any]] = {name: value for name, value in vars(deck).items() if isinstance(value, list)}
        new = vars(self._deck()) if len(lists) > 1 and self._deck is not None else {}
        new_names = [name for name in new if name in lists] or list(lists)
        return lists[min(new_names, key=lambda name: not self._are_cards(new.get(name)))]

    def _are_cards(self, value: Any) -> bool:
        return isinstance(value, list) and value != [] and all(isinstance(item, self._card) for item in value)


def from_plain(plain: Any, cards: Cards | None, names: dict[str, Any]) -> Any:
    """Return the value for a plain form; expressions in it can use `names`."""
    if isinstance(plain, list):
        return [from_plain(item, cards, names) for item in plain]
    if not isinstance(plain, dict):
        return plain
    [(kind, content)] = plain.items()
    if kind == "python":
        return eval(compile(content, "<variables>", "eval"), names)
    if kind in ("card", "deck"):
        return _card_or_deck(kind, content, cards)
    if kind == "dict":
        return {from_plain(key, cards, names): from_plain(value, cards, names) for key, value in content}
    return {"tuple": tuple, "set": set}[kind](from_plain(item, cards, names) for item in content)


def _card_or_deck(kind: str, content: Any, cards: Cards | None) -> Any:
    if cards is None:
        raise TypeError("there is no module whose cards these could be")
    return cards.card(content) if kind == "card" else cards.deck([item["card"] for item in content])


def _numpy_scalar() -> Any:
    """Return the base class of numpy's numbers, or an empty tuple if the program has not imported numpy."""
    scalar_type = getattr(sys.modules.get("numpy"), "generic", None)
    return scalar_type if isinstance(scalar_type, type) else ()


class PlainForms:
    """Converts values of any kind to plain form, with or without the state of objects."""

    def __init__(self, cards: Cards | None, folder: str | None) -> None:
        """Include the state of objects whose classes are defined in `folder`; if it is None, leave out all state."""
        self._cards = cards
        self._folder = folder
        self._around: list[int] = []
        self._instances_left = _MOST_INSTANCES

    def plain(self, value: Any, depth: int = 0) -> Any:
        """Return the plain form of a value."""
        if value is None or type(value) in (bool, str):
            return value
        if type(value) is int:
            # Python may refuse to write longer numbers in decimal (see sys.set_int_max_str_digits).
            return value if abs(value) < 10**_MOST_DIGITS else {"number": hex(value)}
        if type(value) is float:
            return value if value - value == 0 else {"number": repr(value)}
        if type(value) in _SHOWN:
            return {"shown": repr(value)}
        if depth > _DEEPEST:
            return {"object": "a value nested very deeply"}
        if isinstance(value, _numpy_scalar()):
            return self.plain(value.item(), depth + 1)
        if self._cards and (name := self._cards.name(value)) is not None:
            return {"card": name}
        if self._cards and (cards_inside := self._cards.cards_inside(value)) is not None:
            return {"deck": [self.plain(item, depth + 1) for item in cards_inside]}
        return self._container(value, depth + 1)

    def _container(self, value: Any, depth: int) -> Any:
        """Convert a container. Derived classes are read with the built-in methods, which programs cannot change.

        The same applies to classes derived from numbers and strings, such as IntEnum.
        """
        kind = type(value)
        for base, builtin in _SCALARS:
            if issubclass(kind, base):
                return self.plain(builtin(value), depth)
        if issubclass(kind, list):
            return [self.plain(item, depth) for item in list.__iter__(value)]
        if issubclass(kind, tuple):
            if fields := self._fields(kind):
                return self._instance(value, fields, depth)
            return {"tuple": [self.plain(item, depth) for item in tuple.__iter__(value)]}
        for base_set in (set, frozenset):
            if issubclass(kind, base_set):
                return {"set": sorted((self.plain(item, depth) for item in base_set.__iter__(value)), key=repr)}
        if issubclass(kind, dict):
            pairs = dict.items(value)
            return {"dict": [[self.plain(key, depth), self.plain(inner, depth)] for key, inner in pairs]}
        name = f"an object of {kind.__name__}"[:_LONGEST_TEXT]
        return self._instance(value, (), depth) if self._is_of_program(kind) else {"object": name}

    def _is_of_program(self, kind: type) -> bool:
        if self._folder is None:
            return False
        if kind.__module__ == "types":
            # `make_dataclass` uses this as the module of its classes.
            return "__dataclass_fields__" in vars(kind)
        file = getattr(sys.modules.get(kind.__module__), "__file__", None)
        return isinstance(file, str) and file.startswith(f"{self._folder}{os.sep}")

    def _fields(self, kind: type) -> tuple[str, ...]:
        """Return the field names of one of the program's named tuple classes, or an empty tuple for any other class."""
        fields = getattr(kind, "_fields", ())
        is_named = isinstance(fields, tuple) and all(type(field) is str for field in fields)
        return tuple(fields) if is_named and self._is_of_program(kind) else ()

    def _instance(self, value: Any, fields: tuple[str, ...], depth: int) -> Any:
        """Return an object's class and public attributes, and its items if it is a named tuple with these fields.

        An object that contains itself is only shown once.
        """
        name = type(value).__name__[:_LONGEST_TEXT]
        if id(value) in self._around:
            return {"again": len(self._around) - self._around.index(id(value))}
        pairs = list(public_attributes(value))
        # A named tuple without other attributes cannot keep creating new objects.
        self._instances_left -= bool(pairs) or not fields
        if self._instances_left < 0:
            return _TOO_LARGE
        self._around.append(id(value))
        items = [self.plain(item, depth) for item in tuple.__iter__(value)] if fields else []
        attributes = [[attribute, self.plain(inner, depth)] for attribute, inner in pairs]
        self._around.pop()
        if fields:
            return {"tuple": items, "named": [name, *fields], **({"attributes": attributes} if attributes else {})}
        if not attributes:
            return {"object": f"an object of {name} without public attributes"}
        return {"instance": [name, attributes]}


def public_attributes(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield an object's public attributes by name: instance attributes, slots and properties.

    Properties that raise an exception are left out.
    """
    if isinstance(value, Enum):
        yield from (("name", value._name_), ("value", value._value_))
        return
    attributes: dict[str, Any] = {}
    for kind in type(value).__mro__:
        for name, item in vars(kind).items():
            attributes.setdefault(name, item)
    state: dict[str, Any] = {}
    with contextlib.suppress(AttributeError):
        state = dict(object.__getattribute__(value, "__dict__"))
    attributes |= state
    for name in sorted(attributes):
        if name.startswith("_"):
            continue
        if name in state:
            yield name, attributes[name]
        elif isinstance(attributes[name], (property, cached_property, types.MemberDescriptorType)):
            with contextlib.suppress(Exception):
                yield name, attributes[name].__get__(value)


def type_names(kind: type) -> list[str]:
    """Return the names of a class and its bases, including the module unless they are built in.

    A class in the program cannot imitate another one by its name. A class derived from several kinds of exceptions is
    not reported as either.
    """
    bases = type.mro(kind)[:-1]
    direct_bases = [_BASES(base) for base in bases if id(base) not in _BUILTINS]
    widths = [sum(issubclass(base, BaseException) for base in parents) for parents in direct_bases]
    if sum(max(width - 1, 0) for width in widths) > 1:
        bases = [base for base in bases if base is kind or base is Exception or base is BaseException]
    return [_BUILTINS.get(id(base)) or f"{base.__module__}.{base.__qualname__}"[:_LONGEST_TEXT] for base in bases]


def message_of(error: BaseException) -> str:
    """Return the message of an exception, or an empty string if the program's own `__str__` fails."""
    with contextlib.suppress(Exception):
        return str(error)[:_LONGEST_TEXT]
    return ""


def print_now(text: str) -> None:
    """Print in order: after everything printed before, and before everything printed later."""
    flush((sys.stdout, sys.stderr, sys.__stdout__))
    os.write(1, text.encode())


def flush(streams: tuple[Any, ...]) -> None:
    """Flush the streams where possible; the program may have replaced, closed or detached them."""
    for stream in streams:
        with contextlib.suppress(Exception):
            stream.flush()


def complete_files() -> None:
    """Flush the buffers of open files, as Python does when it ends."""
    kinds = (io.TextIOWrapper, io.BufferedWriter, io.BufferedRandom)
    # `gc` does not list the streams of a prepared interpreter.
    opened = [file for file in (sys.__stdout__, sys.__stderr__, *gc.get_objects()) if type(file) in kinds]
    # Text streams come first, because they flush into the buffers below them.
    flush(tuple(sorted(opened, key=lambda file: type(file) is not io.TextIOWrapper)))


def marker(
    write: Callable[[int, bytes], int] = os.write,
    out: Any = sys.stdout,
    flush: Callable[[tuple[Any, ...]], None] = flush,
) -> Callable[[str], None]:
    """Return a function that prints a mark, even if the program has replaced `os.write`, `print_now` or its streams."""

    def mark(text: str) -> None:
        flush((sys.stdout, sys.stderr, out))
        write(1, text.encode())

    return mark


def print_traceback(error: BaseException) -> None:
    """Print the program's traceback without the frames of this file."""
    own_file = print_traceback.__code__.co_filename
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith((own_file, "<")):
        trace = trace.tb_next
    if trace is None:
        sys.stderr.write("Traceback (most recent call last):\n")
    traceback.print_exception(type(error), error, trace)
    print_now("")


def exit_status(error: BaseException) -> int:
    """Return the exit status of a program that ends with this exception."""
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else 0
    return 1


def load_module(file: str, prepared: Mapping[str, types.CodeType]) -> types.ModuleType:
    """Import a file in the working folder under its own name, using its `prepared` code if any; return the module."""
    name = file.removesuffix(".py")
    spec = importlib.util.spec_from_file_location(name, os.path.abspath(file))
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    if file in prepared:
        hand_over(spec.loader, prepared[file])
    spec.loader.exec_module(module)
    return module


def hand_over(loader: Any, code: types.CodeType) -> None:
    """Make a loader use this code once instead of compiling its file, without leaving a trace."""

    def take(_: str) -> types.CodeType:
        del loader.get_code
        return code

    loader.get_code = take


def quietly(look: Callable[[Any], Any], value: Any) -> Any:
    """Call `look` on a value without showing the output of its properties, which no call has printed."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return look(value)


class Steps:
    """The calls of a test, made one after another, and their results."""

    def __init__(self, mark: Callable[[str], None], raised: str) -> None:
        """Print every traceback between two marks `raised`."""
        self._mark = mark
        self._raised = raised
        self.results: list[dict[str, Any]] = []
        self.status = 0

    def run(self, code: types.CodeType, names: dict[str, Any], forms: PlainForms) -> None:
        """Make a call and record its value, or the exception it raised."""
        result: dict[str, Any] = {"returned": None, "raised": None}
        try:
            result["returned"] = quietly(forms.plain, eval(code, names))
        except BaseException as error:
            self._mark(self._raised)
            if not isinstance(error, SystemExit):
                print_traceback(error)
            self._mark(self._raised)
            result["raised"] = {"types": type_names(type(error)), "message": message_of(error)}
            self.status = exit_status(error)
        self.results.append(result)


def _compiled(call: str) -> types.CodeType:
    """Compile a call as an expression, or else as a statement, which has the value None."""
    try:
        return compile(call, "<call>", "eval")
    except SyntaxError:
        return compile(call, "<call>", "exec")


class TestNames(dict[str, Any]):
    """The names that a test assigns, and the program's names with their current values.

    If the program uses the name of a built-in function for something that cannot be called, such as a list named
    `list`, a test that calls this name gets the built-in function.
    """

    def __init__(self, program: dict[str, Any], code: list[str]) -> None:
        """Start with only the program's names, which a test's assignments never change.

        `code` is the source that is evaluated with these names.
        """
        super().__init__(__name__=program["__name__"], __builtins__=program["__builtins__"])
        self._program = program
        self._code = code

    def __missing__(self, name: str) -> Any:
        value = self._program[name]
        builtin = getattr(builtins, name, None)
        if callable(value) or not callable(builtin) or not self._calls(name):
            return value
        return builtin

    def _calls(self, name: str) -> bool:
        return any(re.search(rf"(?<![\w.]){name}\s*\(", text) for text in self._code)


def call(request: dict[str, Any], report: int, folder: str, prepared: Mapping[str, types.CodeType]) -> int:
    """Import the program, make the calls and report the results.

    Programs can read these local variables in their frames, so they must not contain secrets.
    """
    mark, write, marks = marker(), os.write, request.pop("marks")
    names_of_cards = request["cards"]
    cards = None
    if names_of_cards:
        module = load_module(names_of_cards["file"], prepared)
        cards = Cards(module, names_of_cards["card"], names_of_cards["deck"])
    forms = PlainForms(cards, folder if request["state"] else None)
    program = load_module(request["program"], prepared)
    names = TestNames(vars(program), [*request["setup"], *request["calls"]])
    for name, value in request["given"].items():
        names[name] = from_plain(value, cards, names)
    for statement in request["setup"]:
        exec(compile(statement, "<setup>", "exec"), names)
    given = {name: names[name] for name in request["given"]}
    series = [(text, _compiled(text)) for text in request["calls"]]
    steps = Steps(mark, marks["raised"])
    mark(marks["begin"])
    for text, code in series:
        if len(series) > 1:
            mark(f">>> {text}\n")
        steps.run(code, names, forms)
    after = {name: quietly(forms.plain, value) for name, value in given.items()}
    mark(marks["end"])
    content = _report(marks["report"], steps.results, after)
    if len(content) > _MOST_REPORTED:
        short = [{**result, "returned": _TOO_LARGE} for result in steps.results]
        content = _report(marks["report"], short, dict.fromkeys(after, _TOO_LARGE))
    write(report, content)
    return steps.status


def _report(secret: str, steps: list[dict[str, Any]], given: dict[str, Any]) -> bytes:
    return json.dumps({"secret": secret, "steps": steps, "given": given}).encode("ascii")


def give_way(folder: str, path: list[str], at_start: Set[str]) -> None:
    """Let the program import the modules in its folder ahead of the standard library, as when it runs by itself."""
    sys.path[:] = path
    file_stems = {name.removesuffix(".py") for name in os.listdir(folder)}
    for name in [name for name in sys.modules if name.partition(".")[0] in file_stems and name not in at_start]:
        own_path = os.path.join(folder, name.partition(".")[0])
        if os.path.isfile(f"{own_path}.py") or os.path.isfile(os.path.join(own_path, "__init__.py")):
            del sys.modules[name]


def main(order: str, path: list[str], at_start: Set[str], prepared: Mapping[str, types.CodeType]) -> NoReturn:
    """Read the file `order`, remove the traces that a program could find, and make the calls.

    `path` is the program's import path, `at_start` contains the modules of a fresh interpreter, and `prepared` holds
    files that are already compiled.
    """
    own_path = os.path.abspath(sys.argv[0])
    with open(order, encoding="utf-8") as file:
        request = json.load(file)
    descriptors = min(_MOST_FDS, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    number = SystemRandom().randrange(descriptors // 5, descriptors)
    report = fcntl.fcntl(_REPORT, fcntl.F_DUPFD_CLOEXEC, number)
    os.close(_REPORT)
    for name in (own_path, order):
        os.unlink(name)
    sys.argv = [request["program"]]
    sys.modules["__main__"] = types.ModuleType("__main__")
    folder = os.path.dirname(own_path)
    give_way(folder, path, at_start)
    try:
        status = call(request, report, folder, prepared)
    except BaseException as error:
        if isinstance(error, SystemExit):
            print_now("")
        else:
            print_traceback(error)
        status = exit_status(error)
    complete_files()
    os._exit(status)


if __name__ == "__main__":
    main(sys.argv[1], _PATH, _AT_START, {})
