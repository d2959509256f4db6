"""Lines of TESTed's language as Java, with the types that TESTed gives values there."""

import ast
from collections.abc import Mapping, Sequence
from typing import ClassVar

from grader.plugins.importing.tested.code_writer import CodeWriter, Pair
from grader.plugins.importing.tested.expressions import camel_case, pascal_case

_ARRAYS: Mapping[type, str] = {bool: "boolean", int: "int", float: "double", str: "String"}


class JavaWriter(CodeWriter):
    """Writes the lines of one context in Java, where functions belong to the class of the program."""

    casts: ClassVar[Mapping[str, str]] = {
        "int8": "(byte) {}",
        "uint8": "(short) {}",
        "int16": "(short) {}",
        "uint32": "{}L",
        "int64": "{}L",
        "uint64": 'new java.math.BigInteger("{}")',
        "bigint": 'new java.math.BigInteger("{}")',
        "single_precision": "{}f",
        "double_extended": 'new java.math.BigDecimal("{}")',
        "fixed_precision": 'new java.math.BigDecimal("{}")',
    }
    none = "null"
    declared = "var"
    has_variables = False

    def variable(self, name: str) -> str:
        """Return the name of a variable or field."""
        return camel_case(name)

    def method(self, name: str) -> str:
        """Return the name of a method."""
        return camel_case(name)

    def function(self, name: str) -> str:
        """Return the name of a function of the program."""
        return f"{pascal_case(self.namespace)}.{camel_case(name)}"

    def global_variable(self, name: str) -> str:
        """Return the name of a global variable of the program."""
        return f"{pascal_case(self.namespace)}.{name}"

    def constructor(self, name: str) -> str:
        """Write the start of an expression that creates an object of a class."""
        return f"new {name}"

    def sequence(self, kind: str, items: Sequence[ast.expr]) -> str:
        """Write a list, tuple or set."""
        written = [self.expression(item) for item in items]
        if kind == "array":
            return f"new {_array_of(items)}[]{{{', '.join(written)}}}"
        name = "Arrays.asList" if self.none in written else "Set.of" if kind == "set" else "List.of"
        return f"{name}({', '.join(written)})"

    def mapping(self, pairs: Sequence[Pair]) -> str:
        """Write a mapping."""
        entries = (f"Map.entry({self.expression(key)}, {self.expression(value)})" for key, value in pairs)
        return f"Map.ofEntries({', '.join(entries)})"


def _array_of(items: Sequence[ast.expr]) -> str:
    kinds = {type(item.value) if isinstance(item, ast.Constant) else object for item in items}
    return _ARRAYS.get(kinds.pop(), "Object") if len(kinds) == 1 else "Object"
