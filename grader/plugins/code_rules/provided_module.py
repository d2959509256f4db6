"""The rule that a program imports a provided module and leaves it as it is."""

import ast
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from grader.model.option import ProvidedFile
from grader.model.rule import RuleFinding
from grader.plugins.code_rules.bound_names import names_of_module
from grader.plugins.code_rules.constant_text import constant_text
from grader.plugins.code_rules.escapes import Followed, escapes, first_name
from grader.plugins.code_rules.file_changes import writes_file
from grader.plugins.code_rules.made_classes import made_classes
from grader.plugins.code_rules.meanings import Meanings, namespace_owner, own_names
from grader.plugins.code_rules.module_names import module_name, outside_functions, program_and_modules
from grader.plugins.code_rules.second_bindings import second_bindings
from grader.plugins.code_rules.unclear_bindings import CHANGES_OF_DICTS, unclear_bindings
from grader.plugins.code_rules.used_names import all_names
from grader.rules.code_rule import SourceRule
from grader.rules.source import FunctionDefinition, ParsedSource, UncheckedSourceError, read_source
from grader.text.sentence import say

_OF_OBJECTS = {"setattr", "delattr"}
_CHANGERS = {"operator.setitem", "operator.delitem", "operator.ior"}


@dataclass(frozen=True)
class UnchangedModule(SourceRule):
    """The program imports the provided `module`, and neither changes nor replaces its contents."""

    name = "provided-module"
    broken_by = (
        "The program does not import the module, or changes or replaces part of it. A name that the program imports "
        "is replaced if another value is assigned to it, or another object is imported under it, outside functions. "
        "A class of the module is also replaced by a class or function with its name, and a function of the module by "
        "one with its name if the whole module is imported. Other variables can have the names of the module and its "
        "contents. A class derived from a class of the module can have the same name, and so can a function that "
        "calls a function of the module. A person has to decide if a name is only replaced in some cases, such as in "
        "`except`, or through `sys.modules` or `globals()`, or if the module is passed through a collection, "
        "attribute or result and attributes are changed. The rule cannot prove that the module is unchanged."
    )

    module: Annotated[str, ProvidedFile()]
    """One of the `provided` files."""

    def findings(self, source: ParsedSource) -> Iterator[RuleFinding]:
        """Yield a missing import and all changes. Raises UncheckedSourceError if only possible changes are found."""
        name = Path(self.module).stem
        body = read_source(source.provided[self.module], self.module).tree.body
        sources = program_and_modules(source)
        if not any(_imports(node, name) for file in sources for node in file.nodes):
            yield source.absence(say("the module {module} is not imported", module=name))
        classes = frozenset(node.name for node in body if isinstance(node, ast.ClassDef))
        functions = frozenset(node.name for node in body if isinstance(node, FunctionDefinition))
        bound = {module_name(file): _bound(file.tree, name, classes | functions) for file in sources}
        handed_on = {module_name(module): names_of_module(module.tree) for module in source.modules}
        others = {module: (names, bound[module]) for module, names in handed_on.items()}
        changes = [
            _Changes(
                file,
                _ProvidedModule(
                    name=name, classes=classes, functions=functions, bound=bound[module_name(file)], others=others
                ),
            )
            for file in sources
        ]
        findings = [finding for change in changes for finding in change.findings()]
        yield from findings
        for place in (place for change in changes for place in change.unclear_places() if not findings):
            raise UncheckedSourceError(str(place))
        if not findings and any(change.may_change for change in changes):
            for place in (place for change in changes for place in change.open_places()):
                raise UncheckedSourceError(str(place))


@dataclass(frozen=True, kw_only=True)
class _ProvidedModule:
    """A provided module: the names of its classes and functions, and the names by which a file refers to its parts.

    `bound` maps the latter to their meanings: `{"c": "cards", "K": "cards.Card"}`. `others` holds, for each of the
    student's modules, the names that it binds, and its names of the provided module.
    """

    name: str
    classes: Set[str]
    functions: Set[str]
    bound: Mapping[str, str]
    others: Mapping[str, tuple[Set[str], Mapping[str, str]]]

    def may_replace(self) -> Set[str]:
        """Return the names that no other class or function of the program may have."""
        whole = self.functions if self.name in self.bound.values() else frozenset()
        return self.classes | self.bound.keys() | whole


def _bound(tree: ast.Module, name: str, public: Set[str]) -> dict[str, str]:
    """Map each local name to the part of module `name` it refers to."""
    bound: dict[str, str] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Import(aliases):
                bound |= {alias.asname or name: name for alias in aliases if alias.name == name}
            case ast.ImportFrom(module, aliases) if module == name:
                bound |= {alias.asname or alias.name: f"{name}.{alias.name}" for alias in aliases if alias.name != "*"}
                if any(alias.name == "*" for alias in aliases):
                    bound |= {part: f"{name}.{part}" for part in public if not part.startswith("_")}
            case ast.Assign(targets, value) if _imports(value, name):
                bound |= {target.id: name for target in targets if isinstance(target, ast.Name)}
    return bound


def _imports(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Call(ast.Name("import_module") | ast.Attribute(_, "import_module"), [ast.Constant(str(module)), *_]):
            return module == name
    if isinstance(node, ast.Import):
        return any(alias.name == name for alias in node.names)
    return isinstance(node, ast.ImportFrom) and node.module == name


def _replacements(source: ParsedSource, module: _ProvidedModule) -> Iterator[RuleFinding]:
    """Yield the places where a name of the module is bound to something else."""
    taken = module.may_replace()
    replaced: list[tuple[int, str]] = [
        (node.lineno, node.name)
        for node in source.tree.body
        if isinstance(node, FunctionDefinition | ast.ClassDef)
        and node.name in taken
        and not _is_made_of(node, f"{module.name}.{node.name}", module.bound)
    ]
    later = _provided_last(source.tree, module)
    replaced += [
        (node.lineno, name)
        for node, name in second_bindings(source, module.bound, module.others)
        if node in source.tree.body and node.lineno > later.get(name, 0)
    ]
    variables = module.bound.keys() | (source.once(made_classes) & taken)
    harmless = set(_harmless(source.tree, module))
    for node, local in _nodes(source.tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and node not in harmless:
            replaced += [(node.lineno, node.id)] if node.id in variables and node.id not in local else []
    for line, name in replaced:
        yield source.finding(line, say("{name} of the module {module} is replaced", name=name, module=module.name))


def _is_made_of(node: ast.stmt, provided: str, bound: Mapping[str, str]) -> bool:
    """Return whether a definition extends the `provided` object of the same name, by deriving from it or calling it."""
    match node:
        case ast.ClassDef(bases=used):
            pass
        case ast.FunctionDef(name):
            # Inside the function, its name refers to the function itself.
            used = [inner.func for inner in ast.walk(node) if isinstance(inner, ast.Call)]
            bound = {local: meant for local, meant in bound.items() if local != name}
        case _:
            return False
    names = (ast.unparse(node).partition(".") for node in used)
    return provided in {f"{bound.get(first, first)}{dot}{rest}" for first, dot, rest in names}


def _harmless(tree: ast.Module, module: _ProvidedModule) -> Iterator[ast.expr]:
    """Yield the targets that are assigned the imported module or a part of the same name: `Card = cards.Card`."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets, value) if _imports(value, module.name):
                yield from targets
            case ast.Assign(targets, ast.Attribute(owner, attribute)):
                first, dot, rest = ast.unparse(owner).partition(".")
                if f"{module.bound.get(first, first)}{dot}{rest}".split(".")[0] == module.name:
                    yield from (target for target in targets if isinstance(target, ast.Name) and target.id == attribute)


def _provided_last(tree: ast.Module, module: _ProvidedModule) -> dict[str, int]:
    """Map names to the line of the last import, outside all blocks, that gives them their meaning in the module."""
    imports = (node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom))
    bound = (
        (node.lineno, _bound(ast.Module([node], []), module.name, module.classes | module.functions))
        for node in imports
    )
    return {name: line for line, names in bound for name in names}


class _Changes:
    """The changes that a file makes to the module."""

    def __init__(self, source: ParsedSource, module: _ProvidedModule) -> None:
        self._source = source
        self._module = module
        self._meanings = Meanings(source.tree, {module.name: None, **module.bound})
        escaped = dict(escapes(source.tree, self._meanings, own_names(source)))
        self._followed = Followed(
            source.tree, self._meanings, {value: name for value, name in escaped.items() if self._is_whole(name)}
        )
        self._changed = [
            (node, owner, attribute, local)
            for node, local in _nodes(source.tree)
            for owner, attribute in (
                *_changed_objects(node, self._meanings),
                *_changed_by_calls(node, self._meanings),
                *_patched(node),
            )
        ]

    def _is_whole(self, name: str) -> bool:
        """Return whether a dotted name means the module or one of its classes or functions."""
        first, _, rest = name.partition(".")
        return first == self._module.name and (not rest or rest in self._module.classes | self._module.functions)

    def findings(self) -> Iterator[RuleFinding]:
        """Yield the places where a part of the module is assigned, deleted, replaced or otherwise changed."""
        yield from _replacements(self._source, self._module)
        for node, owner, attribute, local in self._changed:
            if isinstance(owner, str):
                # The text contains the module's real name, not an alias from the program.
                label, name = owner, owner
            else:
                label, name = ast.unparse(owner), self._name_of(owner, local)
            if name.partition(".")[0] == self._module.name:
                changed = f"{label}.{attribute}"
                message = say("{name} of the module {module} is changed", name=changed, module=self._module.name)
                yield self._source.finding(getattr(node, "lineno", None), message)
        for node in self._source.nodes:
            if isinstance(node, ast.Call) and writes_file(node, self._module.name, self._meanings):
                yield self._source.finding(
                    node.lineno, say("the file of the module {module} is changed", module=self._module.name)
                )

    def unclear_places(self) -> Iterator[RuleFinding]:
        """Yield the places that may replace the module, or a name imported from it, by something else."""
        module, tree = self._module, self._source.tree
        again = {
            (node.lineno, name)
            for node, name in second_bindings(self._source, module.bound, module.others)
            if node not in tree.body
        }
        again |= {
            (node.lineno, node.name)
            for node in outside_functions(tree)
            if isinstance(node, FunctionDefinition | ast.ClassDef)
            and node.name in module.bound
            and node not in tree.body
        }
        for node in unclear_bindings(self._source, module.bound.keys(), self._meanings):
            again.add((node.lineno, ast.unparse(node)))
        own = {"__main__": module.bound, **{name: names for name, (_, names) in module.others.items()}}
        for _, owner, attribute, local in self._changed:
            if isinstance(owner, ast.expr):
                names = own.get(self._name_of(owner, local), {})
                if names and (attribute in names or attribute in _OF_OBJECTS):
                    again.add((owner.lineno, ast.unparse(owner)))
        for line, name in sorted(again):
            message = say("{name} of the module {module} is replaced", name=name, module=module.name)
            yield self._source.finding(line, message)

    def _name_of(self, owner: ast.expr, local: Set[str]) -> str:
        root = first_name(owner)
        if root in self._followed.names:
            return self._followed.names[root]
        return _changed_name(owner, local, self._meanings) or ""

    @property
    def may_change(self) -> bool:
        """Return whether the file changes an object that may be the module."""
        names = {name for node in self._source.nodes for name in all_names(node)}
        return bool(self._changed) or bool(names & (_OF_OBJECTS | {"exec"}))

    def open_places(self) -> Iterator[RuleFinding]:
        """Yield the places where the module is passed on as a value and can no longer be followed."""
        for value, name in self._followed.lost.items():
            if name == self._module.name:
                yield self._source.finding(
                    value.lineno, say("it is not clear what happens to the module {module}", module=name)
                )
        for node in self._source.nodes:
            if isinstance(node, ast.Call) and self._meanings.of(node.func) == "exec":
                text = constant_text(node.args[0], self._meanings.plain) if node.args else ""
                if text is None or self._module.name in text:
                    yield self._source.finding(node.lineno, say("it is not clear what exec() does"))


def _changed_name(owner: ast.expr, local: Set[str], meanings: Meanings) -> str | None:
    """Return the dotted name of a changed object, or None for an object in a local variable."""
    match owner:
        case ast.Call(ast.Name("type"), [made]) | ast.Attribute(made, "__class__"):
            return meanings.maker(made)
    first = ast.unparse(owner).partition(".")[0]
    return None if first in local and not meanings.is_alias(first) else meanings.of(owner)


def _nodes(tree: ast.Module) -> Iterator[tuple[ast.AST, Set[str]]]:
    """Yield all nodes, each with the names that are local there. In methods, names of the class do not count."""
    waiting: list[tuple[ast.AST, Set[str], Set[str]]] = [(tree, frozenset(), frozenset())]
    while waiting:
        node, around, local = waiting.pop()
        yield node, local
        match node:
            case ast.ClassDef():
                local = around | _names_of(outside_functions(node))
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                local = around = around | _names_of(ast.walk(node))
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                local |= _names_of(inner for loop in node.generators for inner in ast.walk(loop.target))
        waiting += ((child, around, local) for child in ast.iter_child_nodes(node))


def _names_of(inside: Iterable[ast.AST]) -> Set[str]:
    """Return the names bound in a function, class or comprehension, except names declared global."""
    names, shared = set(), set()
    for node in inside:
        match node:
            case ast.Name(name, ast.Store() | ast.Del()) | ast.arg(name):
                names.add(name)
            case ast.Global(declared):
                shared.update(declared)
    return names - shared


def _changed_objects(node: ast.AST, meanings: Meanings) -> Iterator[tuple[ast.expr | str, str]]:
    """Yield the object that a node changes, or a string that names it, and the name of the changed part."""
    match node:
        case ast.Attribute(owner, attribute, ast.Store() | ast.Del()):
            yield owner, attribute
        case ast.Call(ast.Attribute(owner, "__setattr__" | "__delattr__" as function), [ast.Constant(str()), *_]):
            yield owner, function
        case ast.Call(ast.Attribute(_, "__setattr__" | "__delattr__" as function), [owner, *_]):
            yield owner, function
        case ast.Subscript(
            ast.Name("modules") | ast.Attribute(_, "modules"), ast.Constant(str(module)), ast.Store() | ast.Del()
        ):
            yield module, "__dict__"
        case ast.Subscript(space, ctx=ast.Store() | ast.Del()):
            yield from _with_attributes_in(space, meanings)
        case ast.Call(ast.Attribute(space, method), _) if method in CHANGES_OF_DICTS:
            yield from _with_attributes_in(space, meanings)


def _changed_by_calls(node: ast.AST, meanings: Meanings) -> Iterator[tuple[ast.expr, str]]:
    """Yield the object and the part that are changed by functions that change their argument, under any alias."""
    match node:
        case ast.Call(called, [first, *_]):
            known = meanings.of(called) or ""
            if known in _OF_OBJECTS:
                yield first, known
            elif known in _CHANGERS:
                yield from _with_attributes_in(first, meanings)
    match node:
        case ast.Call(ast.Name("map"), [called, ast.List([owner, *_]) | ast.Tuple([owner, *_]), *_]):
            known = meanings.of(called) or ""
            yield from [(owner, known)] if known in _OF_OBJECTS else []


def _with_attributes_in(space: ast.expr, meanings: Meanings) -> Iterator[tuple[ast.expr, str]]:
    """Yield the object whose attributes are in `space`, and the name of that dictionary."""
    match space:
        case ast.Attribute(function, "__globals__"):
            yield function, "__globals__"
    owner = namespace_owner(meanings.plain(space))
    if owner is not None:
        yield owner, "__dict__"


def _patched(node: ast.AST) -> Iterator[tuple[ast.expr | str, str]]:
    """Yield the object and the part that `unittest.mock` patches."""
    match node:
        case ast.Call(ast.Name("patch") | ast.Attribute(_, "patch"), [ast.Constant(str(path)), *_]):
            owner, dot, attribute = path.rpartition(".")
            yield from [(owner, attribute)] if dot else []
        case ast.Call(ast.Attribute(ast.Name("patch") | ast.Attribute(_, "patch"), "object"), [patched, *_]):
            yield patched, "patch"
