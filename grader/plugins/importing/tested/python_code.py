"""Lines of TESTed's language as Python."""

import ast

from grader.plugins.importing.tested.expressions import (
    INTEGERS,
    LISTS,
    MAPPINGS,
    NOTHING,
    REALS,
    TEXTS,
    Line,
    NoFormError,
    is_class,
    macro_case,
    parse_line,
    pascal_case,
    snake_case,
)

_CASTS = {
    **dict.fromkeys(INTEGERS, "int"),
    **dict.fromkeys(REALS, "float"),
    **dict.fromkeys(TEXTS, "str"),
    **dict.fromkeys(LISTS, "list"),
    **dict.fromkeys(MAPPINGS, "dict"),
    **dict.fromkeys(NOTHING, "None"),
    "boolean": "bool",
    "tuple": "tuple",
    "set": "set",
    "fixed_precision": "Decimal",
}
"""The Python types that represent TESTed's types."""

_UNCHANGED = {"int": int, "float": float, "bool": bool}


def in_python(line: Line) -> str:
    """Return a line as Python. Raises NoFormError."""
    return ast.unparse(ast.fix_missing_locations(_InPython().visit(line)))


def value_in_python(code: str) -> str:
    """Return a value as an expression of Python. Raises NoFormError."""
    return in_python(parse_line(code))


class _InPython(ast.NodeTransformer):
    """A transformer that gives names their Python form, and values their types."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name):
            if node.func.id in _CASTS:
                return self._cast(_CASTS[node.func.id], node)
            named = pascal_case if is_class(node.func.id) else snake_case
            func: ast.expr = ast.Name(named(node.func.id), ast.Load())
        else:
            func = self.visit(node.func)
        keywords = [
            ast.keyword(snake_case(argument.arg or ""), self.visit(argument.value)) for argument in node.keywords
        ]
        return ast.Call(func, [self.visit(argument) for argument in node.args], keywords)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return ast.Attribute(self.visit(node.value), snake_case(node.attr), node.ctx)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in ("Null", "Undefined"):
            return ast.Constant(None)
        return ast.Name(macro_case(node.id) if node.id.isupper() else snake_case(node.id), node.ctx)

    def visit_Set(self, node: ast.Set) -> ast.AST:
        return ast.Set([_hashable(self.visit(member)) for member in node.elts])

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        keys = [_hashable(self.visit(key)) for key in node.keys if key is not None]
        return ast.Dict([*keys], [self.visit(value) for value in node.values])

    def _cast(self, type_name: str, node: ast.Call) -> ast.AST:
        if type_name == "None":
            return ast.Constant(None)
        inner = [self.visit(argument) for argument in node.args]
        if type_name == "Decimal":
            decimal = ast.Call(ast.Name("__import__", ast.Load()), [ast.Constant("decimal")], [])
            return ast.Call(ast.Attribute(decimal, "Decimal", ast.Load()), [ast.Constant(ast.unparse(*inner))], [])
        if inner and (type_name in ("list", "dict", "str") or _is_already(type_name, inner[0])):
            return _node(inner[0])
        return ast.Call(ast.Name(type_name, ast.Load()), inner, [])


def _is_already(type_name: str, node: ast.expr) -> bool:
    """Return whether a literal already has the type."""
    return isinstance(node, ast.Constant) and type(node.value) is _UNCHANGED.get(type_name)


def _node(node: ast.AST) -> ast.AST:
    return node


def _hashable(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.List | ast.Dict | ast.Set):
        raise NoFormError("a list, set or mapping cannot be in a set or be a key in Python")
    return node
