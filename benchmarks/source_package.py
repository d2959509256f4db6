"""The source of a package, read once: modules, syntax trees, tokens, imports and names."""

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Definition: TypeAlias = ast.ClassDef | Function

_NO_CODE = {
    tokenize.COMMENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
    tokenize.INDENT,
    tokenize.NEWLINE,
    tokenize.NL,
}
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


@dataclass(frozen=True)
class Module:
    """A file of a package; `name` is dotted, and an `__init__` has the name of its folder."""

    name: str
    file: Path

    @cached_property
    def source(self) -> str:
        """The text of the module."""
        return self.file.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree of the module."""
        return ast.parse(self.source)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node of the syntax tree."""
        return tuple(ast.walk(self.tree))

    @cached_property
    def tokens(self) -> tuple[tokenize.TokenInfo, ...]:
        """The tokens of the module."""
        return tuple(tokenize.generate_tokens(io.StringIO(self.source).readline))

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        """The classes, functions and methods of the module."""
        return tuple(
            node for node in self.nodes if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        )

    @cached_property
    def docstrings(self) -> tuple[str, ...]:
        """The docstrings of the module, its classes, functions and methods."""
        texts = map(ast.get_docstring, (self.tree, *self.definitions))
        return tuple(text for text in texts if text)

    @property
    def is_face(self) -> bool:
        """Return whether the module is an `__init__` that defines nothing itself."""
        return self.file.name == "__init__.py" and not self.definitions

    @cached_property
    def code_lines(self) -> int:
        """The number of lines with more than a comment or part of a docstring."""
        lines = {
            line
            for token in self.tokens
            if token.type not in _NO_CODE
            for line in range(token.start[0], token.end[0] + 1)
        }
        return len(lines - set(docstring_lines(self.nodes)))

    def at(self, node: ast.AST, what: str) -> str:
        """Describe a finding by the place of `node` and the text `what`."""
        return f"{self.name}:{getattr(node, 'lineno', 1)} {what}"


class Package:
    """The source of a package, read once."""

    def __init__(self, folder: Path) -> None:
        self.name = folder.name
        self.modules = tuple(
            Module(".".join(file.relative_to(folder.parent).with_suffix("").parts).removesuffix(".__init__"), file)
            for file in sorted(folder.rglob("*.py"))
        )

    @cached_property
    def imports(self) -> Mapping[str, frozenset[str]]:
        """The modules of the package that each of its modules imports, wherever in the file."""
        names = {module.name for module in self.modules}
        return {module.name: frozenset(_imported(module, names) - {module.name}) for module in self.modules}

    @cached_property
    def defined(self) -> frozenset[str]:
        """The names of all classes, functions and methods of the package."""
        return frozenset(node.name for module in self.modules for node in module.definitions)

    @cached_property
    def name_words(self) -> tuple[tuple[str, ...], ...]:
        """The words in each name of a class, function or method, except for names such as `__init__`."""
        names = [node.name for module in self.modules for node in module.definitions if not node.name.endswith("__")]
        return tuple(tuple(word.lower() for word in _WORD.findall(name)) for name in names)


def _imported(module: Module, names: set[str]) -> set[str]:
    imported: set[str] = set()
    for node in module.nodes:
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names} & names
        elif isinstance(node, ast.ImportFrom):
            base = _base(module, node)
            inner = {f"{base}.{alias.name}" for alias in node.names} & names
            imported |= inner or ({base} & names)
    return imported


def _base(module: Module, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    parts = module.name.split(".")
    up = node.level - (module.file.name == "__init__.py")
    return ".".join([*parts[: len(parts) - up], *filter(None, [node.module])])


def docstring_lines(nodes: Iterable[ast.AST]) -> Iterator[int]:
    """Yield the numbers of lines in strings that are statements, such as docstrings and strings below a constant."""
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)
