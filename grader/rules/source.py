"""A student's program as text and syntax tree. It is read, never run."""

import ast
import symtable
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from grader.model.rule import RuleFinding

# Python 3.11 parses nested f-strings in quadratic time; so much takes five seconds at worst.
_MOST_BYTES = 200_000


_LONGEST_CODE = 120


FunctionDefinition = ast.FunctionDef | ast.AsyncFunctionDef


class UnreadableSourceError(Exception):
    """The file is no Python program that can be looked at; `line` is where that shows, if known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, kw_only=True)
class ParsedSource:
    """The program `file` (the name it is handed in under).

    `names` are those of the module and, inside, of its functions. `provided` has the files of the provided modules.
    """

    file: str
    text: str
    tree: ast.Module
    names: symtable.SymbolTable
    provided: Mapping[str, Path]

    @cached_property
    def lines(self) -> list[str]:
        """The text by lines, without newlines."""
        return self.text.splitlines()

    @property
    def functions(self) -> dict[str, FunctionDefinition]:
        """The functions of the module itself by name, the last one of each."""
        return {node.name: node for node in self.tree.body if isinstance(node, FunctionDefinition)}

    def all_functions(self) -> Iterator[FunctionDefinition]:
        """Every function, methods and nested ones too."""
        yield from (node for node in ast.walk(self.tree) if isinstance(node, FunctionDefinition))

    def finding(self, line: int | None, message: str) -> RuleFinding:
        """A finding at a line, with the code that stands there."""
        known = line is not None and 0 < line <= len(self.lines)
        code = self.lines[line - 1].strip()[:_LONGEST_CODE] if known and line is not None else ""
        return RuleFinding(file=self.file, line=line if known else None, code=code, message=message)


def read_source(path: Path, file: str, provided: Mapping[str, Path] | None = None) -> ParsedSource:
    """The program at `path`, handed in as `file`, that may import the modules `provided`, given by file name.

    Raises UnreadableSourceError, and OSError when there is no file.
    """
    with path.open("rb") as stream:
        content = stream.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise UnreadableSourceError(f"the file has more than {_MOST_BYTES} bytes")
    try:
        tree = ast.parse(content, file)
        text = content.decode("utf-8-sig", "replace")
        names = symtable.symtable(text, file, "exec")
    except SyntaxError as error:
        raise UnreadableSourceError(f"Python cannot read the program ({error.msg})", error.lineno) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise UnreadableSourceError(f"Python cannot read the program ({error})") from None
    return ParsedSource(file=file, text=text, tree=tree, names=names, provided=provided or {})
