"""Parses lines of TESTed's language: they look like Python, but names and types follow each language's conventions.

A line of a YAML suite is parsed as Python. A line of a JSON suite is converted to the same form first.
"""

import ast
import re
from typing import Any, TypeAlias

INTEGERS = ("integer", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bigint")
REALS = ("real", "single_precision", "double_precision", "double_extended")
TEXTS = ("text", "char", "string", "any")
LISTS = ("sequence", "array", "list")
MAPPINGS = ("map", "dictionary", "object")
NOTHING = ("nothing", "null", "undefined", "none")
_OTHERS = ("boolean", "tuple", "set", "fixed_precision")
TYPES = frozenset((*INTEGERS, *REALS, *TEXTS, *LISTS, *MAPPINGS, *NOTHING, *_OTHERS))
"""Names that denote a type if they are called like a function."""

Line: TypeAlias = ast.Expr | ast.Assign
"""A line of a suite: an expression or an assignment."""


class NoFormError(Exception):
    """A line cannot be written in a language; the message says why."""


def parse_line(code: str) -> Line:
    """Return the line. Raises NoFormError."""
    try:
        [node] = ast.parse(code.strip(), mode="single").body
    except (SyntaxError, ValueError) as error:
        raise NoFormError(f"it is not one line of code ({error})") from None
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        node = ast.copy_location(ast.Assign([node.target], node.value), node)
    if not isinstance(node, ast.Expr | ast.Assign):
        raise NoFormError("it is neither an expression nor an assignment")
    return node


def is_assignment(code: str) -> bool:
    """Return whether a line sets a variable."""
    try:
        return isinstance(parse_line(code), ast.Assign)
    except NoFormError:
        return False


def snake_case(name: str) -> str:
    """Return a name with its words separated, such as `load_file`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def pascal_case(name: str) -> str:
    """Return a name with a capital letter for each word, such as `LevelMeter`."""
    return "".join(word[:1].upper() + word[1:] for word in name.split("_")) or name


def camel_case(name: str) -> str:
    """Return a name with a capital letter for each word but the first, such as `loadFile`."""
    pascal = pascal_case(name)
    return pascal[:1].lower() + pascal[1:]


def macro_case(name: str) -> str:
    """Return a name in capitals, such as `MAX_LEVEL`."""
    return snake_case(name).upper()


def is_class(name: str) -> bool:
    """Return whether a called name looks like the name of a class."""
    return name[:1].isupper()


def json_line(data: Any) -> str:
    """Return a step or a value of a JSON suite in the form used by YAML suites. Raises NoFormError."""
    if isinstance(data, str):
        return data
    if not isinstance(data, dict):
        raise NoFormError(f"{data!r} is no expression")
    if "expression" in data:
        target = json_line(data["property"]) if "property" in data else str(data["variable"])
        return f"{target} = {json_line(data['expression'])}"
    kind = str(data.get("type", ""))
    if kind in ("function", "constructor", "property"):
        return _json_call(data, kind)
    return _json_literal(data.get("data"), kind)


def _json_call(data: dict[str, Any], kind: str) -> str:
    namespace, name = data.get("namespace"), str(data["name"])
    before = f"{json_line(namespace)}." if namespace else ""
    if kind == "property":
        return f"{before}{name if before else macro_case(name)}"
    if name in TYPES and not before:
        raise NoFormError(f"the function {name} is called like a type")
    arguments = ", ".join(map(_json_argument, data.get("arguments", [])))
    return f"{before}{pascal_case(name) if kind == 'constructor' else name}({arguments})"


def _json_argument(data: Any) -> str:
    if isinstance(data, dict) and "name" in data and "value" in data:
        return f"{data['name']}={json_line(data['value'])}"
    return json_line(data)


def _json_literal(data: Any, kind: str) -> str:
    if kind not in TYPES:
        raise NoFormError(f"the type {kind!r} has no form here")
    if kind in NOTHING:
        return "None"
    if kind in MAPPINGS:
        plain = "{" + ", ".join(f"{json_line(pair['key'])}: {json_line(pair['value'])}" for pair in data) + "}"
    elif kind in (*LISTS, "tuple", "set"):
        plain = f"[{', '.join(map(json_line, data))}]"
    elif kind in REALS:
        plain = repr(float(data))
    else:
        plain = repr(data)
    is_usual = kind in ("integer", "real", "text", "boolean", "sequence", "map")
    return plain if is_usual else f"{kind}({plain})"
