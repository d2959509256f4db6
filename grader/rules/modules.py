"""Rules about names: a provided module is used as it is, and some names may not be used at all."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from grader.model.option import ProvidedFile
from grader.model.rule import RuleFinding
from grader.rules.source import FunctionDefinition, ParsedSource, SourceRule, read_source


@dataclass(frozen=True)
class UnchangedModule(SourceRule):
    """The program imports the provided `module`, and neither changes nor replaces what is in it."""

    name = "provided-module"
    broken_by = "The module is not imported, or something of it is changed or replaced."

    module: Annotated[str, ProvidedFile()]

    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """The missing import, and what is changed."""
        name = Path(self.module).stem
        module = read_source(source.provided[self.module], self.module)
        if not any(_imports(node, name) for node in ast.walk(source.tree)):
            yield source.absence(f"the module {name} is not imported")
        own = {node.name for node in module.tree.body if isinstance(node, FunctionDefinition | ast.ClassDef)}
        local = set(_local_names(source.tree))
        for node in ast.walk(source.tree):
            if (
                isinstance(node, FunctionDefinition | ast.ClassDef)
                and node.name in own | {name}
                and node in source.tree.body
            ):
                yield source.finding(node.lineno, f"{node.name} of the module {name} is replaced")
            for target in _targets(node):
                text = ast.unparse(target)
                if target in local:
                    continue
                if text == name or text in own:
                    yield source.finding(target.lineno, f"{text} of the module {name} is replaced")
                elif text.split(".")[0] in own | {name} and "." in text:
                    yield source.finding(target.lineno, f"{text} of the module {name} is changed")


def _imports(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Import):
        return any(alias.name == name for alias in node.names)
    return isinstance(node, ast.ImportFrom) and node.module == name


def _local_names(tree: ast.Module) -> Iterator[ast.expr]:
    """The names that are assigned to inside functions and classes, where they hide those of the module at most."""
    for scope in ast.walk(tree):
        if isinstance(scope, FunctionDefinition | ast.ClassDef):
            inside = list(ast.walk(scope))
            shared = {name for node in inside if isinstance(node, ast.Global) for name in node.names}
            for node in inside:
                yield from (one for one in _targets(node) if isinstance(one, ast.Name) and one.id not in shared)


def _targets(node: ast.AST) -> Iterator[ast.expr]:
    """What a statement assigns to, and the object whose attribute `setattr` sets."""
    if isinstance(node, ast.Assign):
        yield from (target for target in node.targets if isinstance(target, ast.Name | ast.Attribute))
    elif isinstance(node, ast.AugAssign | ast.AnnAssign) and isinstance(node.target, ast.Name | ast.Attribute):
        yield node.target
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "setattr" and node.args:
        yield ast.copy_location(ast.Attribute(node.args[0], "setattr", ast.Store()), node)


@dataclass(frozen=True)
class ForbiddenNames(SourceRule):
    """None of the `names`, such as `eval` or `sys.exit`, is used or imported."""

    name = "forbidden-names"
    broken_by = "One of the names is used or imported."

    names: tuple[str, ...]

    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """The uses and imports."""
        for node in ast.walk(source.tree):
            for name in _used(node):
                if name in self.names:
                    yield source.finding(getattr(node, "lineno", None), f"{name} may not be used")


def _used(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield ast.unparse(node)
    elif isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)
