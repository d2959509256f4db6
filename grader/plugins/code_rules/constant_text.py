"""Evaluates strings that a program builds from literals, such as `"ev" + "al"`, without running the program."""

import ast
from collections.abc import Callable, Iterable

_LONGEST = 1000
_MAX_PARTS = 200
_CHANGES = ("lower", "upper", "strip", "swapcase", "capitalize", "casefold")


def constant_text(node: ast.expr, plain: Callable[[ast.expr], ast.expr]) -> str | None:
    """Return the string that an expression always gives, or None if unclear; `plain` returns the value of a name."""
    return _Reader(plain).text(node)


class _Reader:
    """A reader of one expression. It has a limit, because names may refer to themselves or to ever more parts."""

    def __init__(self, plain: Callable[[ast.expr], ast.expr]) -> None:
        self._plain = plain
        self._parts = 0

    def text(self, node: ast.expr) -> str | None:
        self._parts += 1
        if self._parts > _MAX_PARTS:
            return None
        match self._plain(node):
            case ast.Constant(value=str(value)):
                return value[:_LONGEST]
            case ast.Name() as name:
                # A name may refer to another name.
                return self.text(name) if name is not node else None
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._joined("", (left, right))
            case ast.JoinedStr(values=values):
                return self._joined("", values)
            case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
                return self.text(value)
            case ast.Call(func=function, args=arguments):
                return self._called(function, arguments)
            case ast.Subscript(value, ast.Slice(None, None, ast.UnaryOp(ast.USub(), ast.Constant(1)))):
                reversed_text = self.text(value)
                return None if reversed_text is None else reversed_text[::-1]
        return None

    def _called(self, function: ast.expr, arguments: list[ast.expr]) -> str | None:
        match function, arguments:
            case ast.Name(id="chr"), [ast.Constant(value=int(number))] if 0 <= number < 0x110000:
                return chr(number)
            case ast.Name(id="str"), [value]:
                return self.text(value)
            case ast.Attribute(value=between, attr="join"), [ast.List(elts=parts) | ast.Tuple(elts=parts)]:
                separator = self.text(between)
                return None if separator is None else self._joined(separator, parts)
            case ast.Attribute(value=value, attr=change), [] if change in _CHANGES:
                inner_text = self.text(value)
                return None if inner_text is None else str(getattr(inner_text, change)())
        return None

    def _joined(self, separator: str, nodes: Iterable[ast.expr]) -> str | None:
        texts: list[str] = []
        for node in nodes:
            text = self.text(node)
            if text is None:
                return None
            texts.append(text)
        joined = separator.join(texts)
        return joined if len(joined) <= _LONGEST else None
