"""Finds calls of a program that write, replace or remove the file of a module."""

import ast
from pathlib import PurePosixPath

from grader.plugins.code_rules.constant_text import constant_text
from grader.plugins.code_rules.meanings import Meanings

_OPENERS = ("open", "io.open", "codecs.open")
_REMOVERS = ("os.remove", "os.unlink", "os.rename", "os.replace", "os.truncate", "shutil.move")
_COPIERS = ("shutil.copy", "shutil.copy2", "shutil.copyfile")
_METHODS = ("write_text", "write_bytes", "unlink", "rename", "touch")


def writes_file(call: ast.Call, module: str, meanings: Meanings) -> bool:
    """Return whether a call clearly changes the file of a module."""
    function = meanings.of(call.func) or ""
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    targets: list[ast.expr] = []
    if function in _OPENERS:
        targets = (
            [*call.args[:1], *_value_of(named, "file")]
            if _is_to_write([*call.args[1:2], *_value_of(named, "mode")])
            else []
        )
    elif function in _REMOVERS:
        targets = call.args
    elif function in _COPIERS:
        targets = [*call.args[1:2], *_value_of(named, "dst")]
    elif isinstance(call.func, ast.Attribute):
        match meanings.plain(call.func.value), call.func.attr:
            case ast.Call(args=paths), "open" if _is_to_write([*call.args[:1], *_value_of(named, "mode")]):
                targets = paths[-1:]
            case ast.Call(args=paths), method if method in _METHODS:
                targets = paths[-1:]
    return any(_is_file(target, module, meanings) for target in targets)


def _value_of(named: dict[str | None, ast.expr], name: str) -> list[ast.expr]:
    return [named[name]] if name in named else []


def _is_to_write(modes: list[ast.expr]) -> bool:
    return any(isinstance(mode, ast.Constant) and set("wax+") & set(str(mode.value)) for mode in modes)


def _is_file(path: ast.expr, module: str, meanings: Meanings) -> bool:
    text = constant_text(path, meanings.plain)
    return meanings.of(path) == f"{module}.__file__" or PurePosixPath(text or "").name == f"{module}.py"
