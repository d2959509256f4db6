"""Lines of TESTed's language as Python: it looks like Python, but names follow the custom of each language."""

import ast
import re
from typing import Any

_INTEGERS = ["integer", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bigint"]
_REALS = ["real", "single_precision", "double_precision", "double_extended"]
_TEXTS = ["text", "char", "string", "any"]
_LISTS = ["sequence", "array", "list"]
_MAPPINGS = ["map", "dictionary", "object"]
_NOTHING = ["nothing", "null", "undefined", "none"]

CASTS = {
    **dict.fromkeys(_INTEGERS, "int"),
    **dict.fromkeys(_REALS, "float"),
    **dict.fromkeys(_TEXTS, "str"),
    **dict.fromkeys(_LISTS, "list"),
    **dict.fromkeys(_MAPPINGS, "dict"),
    **dict.fromkeys(_NOTHING, "None"),
    "boolean": "bool",
    "tuple": "tuple",
    "set": "set",
}
"""The types of Python that stand for those of TESTed."""


class NoPythonError(Exception):
    """What is said has no form in Python; the message says why."""


def function_name(name: str) -> str:
    """The name of a function, variable or property as it is usual in Python."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def class_name(name: str) -> str:
    """The name of a class as it is usual in Python."""
    return "".join(word[:1].upper() + word[1:] for word in name.split("_")) or name


def constant_name(name: str) -> str:
    """The name of a global constant as it is usual in Python."""
    return function_name(name).upper()


def in_python(code: str) -> tuple[str, bool]:
    """A line as Python, and whether it is a statement. Raises NoPythonError."""
    try:
        [node] = ast.parse(code.strip(), mode="single").body
    except (SyntaxError, ValueError) as error:
        raise NoPythonError(f"it is not one line of code ({error})") from None
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        node = ast.copy_location(ast.Assign([node.target], node.value), node)
    if not isinstance(node, ast.Expr | ast.Assign):
        raise NoPythonError("it is neither an expression nor an assignment")
    found = ast.fix_missing_locations(_InPython().visit(node))
    return ast.unparse(found), isinstance(node, ast.Assign)


def value_in_python(code: str) -> str:
    """A value as Python. Raises NoPythonError."""
    return in_python(code)[0]


class _InPython(ast.NodeTransformer):
    """Gives names the form that they have in Python, and values their types."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name):
            if node.func.id in CASTS or node.func.id == "fixed_precision":
                return self._cast(node.func.id, node)
            named = class_name if node.func.id[0].isupper() else function_name
            func: ast.expr = ast.Name(named(node.func.id), ast.Load())
        else:
            func = self.visit(node.func)
        keywords = [ast.keyword(function_name(one.arg or ""), self.visit(one.value)) for one in node.keywords]
        return ast.Call(func, [self.visit(one) for one in node.args], keywords)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return ast.Attribute(self.visit(node.value), function_name(node.attr), node.ctx)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in ("Null", "Undefined"):
            return ast.Constant(None)
        return ast.Name(constant_name(node.id) if node.id.isupper() else function_name(node.id), node.ctx)

    def visit_Set(self, node: ast.Set) -> ast.AST:
        return ast.Set([_hashable(self.visit(one)) for one in node.elts])

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        keys = [_hashable(self.visit(key)) for key in node.keys if key is not None]
        return ast.Dict([*keys], [self.visit(value) for value in node.values])

    def _cast(self, kind: str, node: ast.Call) -> ast.AST:
        own = CASTS.get(kind)
        if own == "None":
            return ast.Constant(None)
        inner = [self.visit(one) for one in node.args]
        if own is None:
            decimal = ast.Call(ast.Name("__import__", ast.Load()), [ast.Constant("decimal")], [])
            return ast.Call(ast.Attribute(decimal, "Decimal", ast.Load()), [ast.Constant(ast.unparse(*inner))], [])
        if own in ("list", "dict", "str") and inner:
            return _node(inner[0])
        return ast.Call(ast.Name(own, ast.Load()), inner, [])


def _node(node: ast.AST) -> ast.AST:
    return node


def _hashable(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.List | ast.Dict | ast.Set):
        raise NoPythonError("a list, set or mapping cannot be in a set or be a key in Python")
    return node


def json_in_python(data: Any) -> tuple[str, bool]:
    """A step of a suite in JSON as Python, and whether it is a statement. Raises NoPythonError."""
    if isinstance(data, dict) and "expression" in data:
        target = _json_target(data)
        return f"{target} = {json_value(data['expression'])}", True
    return json_value(data), False


def _json_target(data: dict[str, Any]) -> str:
    return json_value(data["property"]) if "property" in data else function_name(str(data["variable"]))


def json_value(data: Any) -> str:
    """An expression of a suite in JSON as Python. Raises NoPythonError."""
    if isinstance(data, str):
        return function_name(data)
    if not isinstance(data, dict):
        raise NoPythonError(f"{data!r} is no expression")
    kind = str(data.get("type", ""))
    if kind in ("function", "constructor", "property"):
        return _json_call(data, kind)
    return _json_literal(data.get("data"), kind)


def _json_call(data: dict[str, Any], kind: str) -> str:
    namespace = data.get("namespace")
    before = f"{json_value(namespace)}." if namespace else ""
    if kind == "property":
        return f"{before}{(function_name if before else constant_name)(data['name'])}"
    name = (class_name if kind == "constructor" else function_name)(data["name"])
    return f"{before}{name}({', '.join(map(_json_argument, data.get('arguments', [])))})"


def _json_argument(data: Any) -> str:
    if isinstance(data, dict) and "name" in data and "value" in data:
        return f"{function_name(data['name'])}={json_value(data['value'])}"
    return json_value(data)


def _json_literal(data: Any, kind: str) -> str:
    own = CASTS.get(kind)
    match own:
        case "list" | "tuple" | "set":
            inner = ", ".join(map(json_value, data))
            return f"[{inner}]" if own == "list" else f"{own}([{inner}])"
        case "dict":
            return "{" + ", ".join(f"{json_value(one['key'])}: {json_value(one['value'])}" for one in data) + "}"
        case "None":
            return "None"
        case "float":
            return repr(float(data))
        case None:
            raise NoPythonError(f"the type {kind!r} has no form in Python here")
        case _:
            return repr(data)
