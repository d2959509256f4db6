"""The process that runs a checker, with the request as JSON on standard input and the answer on standard output.

The checker's own output goes to standard error.
"""

import json
import resource
import sys
from collections.abc import Callable
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from grader.checkers import (
    ActualCall,
    ActualOutput,
    CallStep,
    Card,
    CheckResult,
    Deck,
    Instance,
    OtherValue,
    RaisedError,
    share_of_points,
    unknown,
)

_MEMORY_BYTES = 2 << 30
# A student's program may print a number of any length. With Python's default limit of 4300 digits, a wrong answer would
# become an error. Conversion time is quadratic in the length, and this number of digits takes a tenth of a second.
_MAX_DIGITS = 100_000


class _CurrentSource(SourceFileLoader):
    """A loader that always compiles, because Python trusts a compiled file whose size and time match the source."""

    def get_code(self, _: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def main() -> None:
    """Answer one request."""
    replies, sys.stdout = sys.stdout, sys.stderr
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY_BYTES, _MEMORY_BYTES))
    request: dict[str, Any] = json.load(sys.stdin)
    check = course_function("check", request["checker"], request["file"])
    actual = _actual(request["kind"], request["actual"])
    try:
        answer = check(request["input"], request["expected"], actual, **request["options"])
    except ValueError as error:
        answer = answer_to_long_number(error)
    if not isinstance(answer, CheckResult):
        raise TypeError(f"check() returned {answer!r}; expected passed(), wrong(reason) or unknown(reason)")
    share = share_of_points(answer.score)
    score = None if share is None else str(share)
    json.dump({"status": answer.status, "reason": answer.reason, "score": score}, replies)


def _actual(kind: str, content: dict[str, Any]) -> ActualOutput:
    if kind != ActualCall.__name__:
        return ActualOutput(**content)
    values = {name: _value(content[name]) for name in ("returned", "expected_returned")}
    variables = {
        name: {field: _value(value) for field, value in content[name].items()}
        for name in ("given", "variables", "expected_variables")
    }
    calls = {name: tuple(map(_call_step, content[name])) for name in ("calls", "expected_calls")}
    return ActualCall(**content | values | variables | calls)


def _call_step(content: dict[str, Any]) -> CallStep:
    raised = content["raised"]
    return CallStep(content["call"], _value(content["returned"]), None if raised is None else RaisedError(**raised))


def _value(plain: Any) -> Any:
    """Return the value for a plain form of any shape, because it may come from a student's program."""
    match plain:
        case list():
            return [_value(item) for item in plain]
        case {"card": str(name)}:
            return Card(name)
        case {"deck": list(cards)}:
            return Deck(tuple(map(_hashable, cards)))
        case {"tuple": list(items)}:
            return tuple(map(_value, items))
        case {"set": list(items)}:
            return set(map(_hashable, items))
        case {"number": "nan" | "inf" | "-inf" as text}:
            return float(text)
        case dict():
            return _value_of_pairs(plain)
    return plain


def _value_of_pairs(plain: dict[str, Any]) -> Any:
    match plain:
        case {"dict": list(pairs)} if _are_pairs(pairs):
            return {_hashable(key): _value(value) for key, value in pairs}
        case {"instance": [str(name), list(pairs)]} if _are_pairs(pairs):
            return Instance(name, {str(key): _value(value) for key, value in pairs})
    in_words = len(plain) == 1 and set(plain) <= {"object", "number", "shown", "python", "again"}
    return OtherValue(str(*plain.values()) if in_words else repr(plain))


def _are_pairs(pairs: list[Any]) -> bool:
    return all(isinstance(pair, list) and len(pair) == 2 for pair in pairs)


def _hashable(plain: Any) -> Any:
    value = _value(plain)
    if isinstance(value, set):
        return frozenset(value)
    try:
        hash(value)
    except TypeError:
        return OtherValue(repr(value))
    return value


def course_function(function: str, name: str, file: str) -> Callable[..., Any]:
    """Return the function in `file`, which may import files next to it.

    `name` is the checker's or interactor's name.
    """
    sys.set_int_max_str_digits(_MAX_DIGITS)
    folder = str(Path(file).parent)
    sys.path.insert(0, folder)
    sys.path_importer_cache[folder] = FileFinder(folder, (_CurrentSource, SOURCE_SUFFIXES))
    loader = _CurrentSource(f"{function}_{name}", file)
    module = ModuleType(loader.name)
    module.__file__ = file
    sys.modules[loader.name] = module
    loader.exec_module(module)
    loaded: Callable[..., Any] = getattr(module, function)
    return loaded


def answer_to_long_number(error: ValueError) -> CheckResult:
    """Return the answer for a number that is too long to read; raise any other error again."""
    if "integer string conversion" not in str(error):
        raise error
    return unknown(f"The program printed a number of more than {_MAX_DIGITS} digits.")


if __name__ == "__main__":
    main()
