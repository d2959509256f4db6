"""Rules about names: a provided module is used as it is, and some names may not be used at all."""

import ast
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from grader.model.option import ProvidedFile
from grader.model.rule import RuleFinding
from grader.rules.meanings import Meanings, imported_names, namespace_owner, own_names
from grader.rules.source import FunctionDefinition, ParsedSource, SourceRule, program_and_modules, read_source


@dataclass(frozen=True)
class UnchangedModule(SourceRule):
    """The program imports the provided `module`, and neither changes nor replaces what is in it."""

    name = "provided-module"
    broken_by = (
        "The module is not imported, or something of it is changed or replaced. A class derived from one of the module "
        "may have its name."
    )

    module: Annotated[str, ProvidedFile()]

    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """The missing import, and what is changed."""
        name = Path(self.module).stem
        module = read_source(source.provided[self.module], self.module)
        sources = program_and_modules(source)
        if not any(_imports(node, name) for one in sources for node in ast.walk(one.tree)):
            yield source.absence(f"the module {name} is not imported")
        own = {node.name for node in module.tree.body if isinstance(node, FunctionDefinition | ast.ClassDef)}
        for one in sources:
            yield from _changes(one, name, own)


def _changes(source: ParsedSource, name: str, own: Set[str]) -> Iterator[RuleFinding]:
    """Where `source` changes or replaces the module `name`, which has functions and classes of its `own`."""
    imported = dict(imported_names(source.tree))
    if imported.get("*") == f"{name}.*":
        imported |= {one: f"{name}.{one}" for one in own - imported.keys()}
    meant = {name: name} | {one: f"{name}.{one}" for one in own} | imported
    local = {_place(target) for target in _local_targets(source.tree)}
    for node in source.tree.body:
        if not isinstance(node, FunctionDefinition | ast.ClassDef) or node.name not in own | {name}:
            continue
        if not _is_made_of(node, f"{name}.{node.name}", imported):
            yield source.finding(node.lineno, f"{node.name} of the module {name} is replaced")
    meanings = Meanings(source.tree)
    given = [node for node in ast.walk(source.tree) if isinstance(node, ast.Assign) and _imports(node.value, name)]
    imports = {target for node in given for target in node.targets}
    for target in _targets(source.tree):
        if target in imports:
            continue
        first, *rest = ast.unparse(target).split(".")
        if isinstance(target, ast.Attribute) and meanings.is_alias(first):
            known = meanings.of(target.value) or ""
        elif _place(target) in local:
            continue
        else:
            known = meant.get(first, first)
        if known.split(".")[0] != name:
            continue
        what = "changed" if rest else "replaced"
        yield source.finding(target.lineno, f"{'.'.join((first, *rest))} of the module {name} is {what}")


def _is_made_of(node: ast.stmt, provided: str, imported: Mapping[str, str]) -> bool:
    """Whether a definition has only the name of what is `provided`: it is derived from it, or returns what it makes."""
    match node:
        case ast.ClassDef(bases=used):
            pass
        case ast.FunctionDef():
            returned = (inner.value for inner in ast.walk(node) if isinstance(inner, ast.Return))
            used = [value.func for value in returned if isinstance(value, ast.Call)]
        case _:
            return False
    names = (ast.unparse(one).partition(".") for one in used)
    return provided in {f"{imported.get(first, first)}{dot}{rest}" for first, dot, rest in names}


def _imports(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Call(ast.Name("import_module") | ast.Attribute(_, "import_module"), [ast.Constant(str(module)), *_]):
            return module == name
    if isinstance(node, ast.Import):
        return any(alias.name == name for alias in node.names)
    return isinstance(node, ast.ImportFrom) and node.module == name


def _local_targets(tree: ast.Module) -> Iterator[ast.expr]:
    """The targets that do not reach the module: names inside functions, classes and comprehensions, and what is theirs.

    `Card = cards.Card` replaces nothing either.
    """
    for scope in ast.walk(tree):
        if isinstance(scope, FunctionDefinition | ast.ClassDef | ast.Lambda):
            inside = list(ast.walk(scope))
            shared = {name for node in inside if isinstance(node, ast.Global) for name in node.names}
            names = {one for one in _targets(scope) if isinstance(one, ast.Name) and one.id not in shared}
            bound = {one.id for one in names} | {node.arg for node in inside if isinstance(node, ast.arg)}
            yield from names
            if not isinstance(scope, ast.ClassDef):
                yield from (one for one in _targets(scope) if ast.unparse(one).split(".")[0] in bound - shared)
        elif isinstance(scope, ast.comprehension):
            yield from _targets(scope.target)
        elif isinstance(scope, ast.Assign) and isinstance(scope.value, ast.Attribute):
            yield from (one for one in scope.targets if ast.unparse(one) == scope.value.attr)


def _targets(tree: ast.AST) -> Iterator[ast.Name | ast.Attribute]:
    """What is assigned to or deleted; for other ways to change an object, an attribute of it that is named so."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            yield node
        else:
            yield from (
                ast.copy_location(ast.Attribute(owner, attribute, ast.Store()), node)
                for owner, attribute in _changed_objects(node)
            )


def _changed_objects(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """The object that `setattr`, its `__dict__`, `sys.modules` or `unittest.mock` change here, and what to call it."""
    match node:
        case ast.Call(ast.Name("setattr"), [owner, *_]):
            yield owner, "setattr"
        case ast.Subscript(ast.Name("modules") | ast.Attribute(_, "modules"), ast.Constant(str(module)), ctx):
            if isinstance(ctx, ast.Store | ast.Del):
                yield ast.Name(module), "__dict__"
        case ast.Subscript(space, ctx=ast.Store() | ast.Del()) | ast.Call(ast.Attribute(space, "update")):
            owner_of_space = namespace_owner(space)
            if owner_of_space is not None:
                yield owner_of_space, "__dict__"
        case ast.Call(ast.Name("patch") | ast.Attribute(_, "patch"), [ast.Constant(str(path)), *_]):
            owner_name, dot, attribute = path.rpartition(".")
            if dot:
                yield _name_with_dots(owner_name), attribute
        case ast.Call(ast.Attribute(ast.Name("patch") | ast.Attribute(_, "patch"), "object"), [owner, *_]):
            yield owner, "patch"


def _name_with_dots(path: str) -> ast.expr:
    first, *rest = path.split(".")
    named: ast.expr = ast.Name(first)
    for attribute in rest:
        named = ast.Attribute(named, attribute)
    return named


def _place(target: ast.expr) -> tuple[str, int, int]:
    """Tells targets apart, those too that stand for a call or a subscript."""
    return ast.unparse(target), target.lineno, target.col_offset


@dataclass(frozen=True)
class ForbiddenNames(SourceRule):
    """None of the `names`, such as `eval` or `sys.exit`, is used or imported, except as the program's own."""

    name = "forbidden-names"
    holds_in_modules = True
    broken_by = (
        "One of the names is used or imported. A variable, parameter or function of the program may be called so."
    )

    names: tuple[str, ...]

    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """The uses and imports."""
        meanings = Meanings(source.tree)
        own = own_names(source.tree)
        opened = [_from(node) for node in ast.walk(source.tree) if _opens_all(node)]
        for node in (one for one in ast.walk(source.tree) if one not in own):
            for name in dict.fromkeys(_used(node, meanings, opened)):
                if name in self.names:
                    yield source.finding(getattr(node, "lineno", None), f"{name} may not be used")


def _from(node: ast.AST) -> str:
    return getattr(node, "module", None) or ""


def _opens_all(node: ast.AST) -> bool:
    return isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names)


def _used(node: ast.AST, meanings: Meanings, opened: Sequence[str]) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id
        yield meanings.of(node) or node.id
        yield from (f"{module}.{node.id}" for module in opened)
    elif isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        yield meanings.of(node) or ""
    elif isinstance(node, ast.Import):
        yield from (module for alias in node.names for module in _with_parents(alias.name))
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield from _with_parents(node.module)
        yield from (f"{node.module}.{alias.name}" for alias in node.names)
        if node.module == "builtins":
            yield from (alias.name for alias in node.names)


def _with_parents(module: str) -> Iterator[str]:
    """A module and the packages that are imported with it: `numpy.linalg` and `numpy`."""
    parts = module.split(".")
    return (".".join(parts[:count]) for count in range(len(parts), 0, -1))
