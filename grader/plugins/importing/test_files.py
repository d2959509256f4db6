"""Reads test files of unittest and pytest: their imports, helpers and test functions."""

import ast
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.plugins.importing.course_draft import CourseDraft

UNIT_TESTING = ("unittest", "pytest", "gradescope_utils")
_DEFINITIONS = (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)
_OF_MODULE = ("setUpModule", "setup_module", "setup_function")


def literal(node: ast.expr | None) -> object:
    """Return the value of a literal, or None for any other expression."""
    try:
        return ast.literal_eval(node) if node is not None else None
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


@dataclass(frozen=True, kw_only=True)
class TestFunction:
    """A test function or method, with its class (empty without one), and the statements that run before it."""

    file: "TestFile"
    class_name: str
    node: ast.FunctionDef
    before: Sequence[ast.stmt]
    methods: frozenset[str]
    attributes: frozenset[str] = frozenset()
    """The names that its class sets."""
    unusual_class: str = ""
    """Why the statements of its class are not all that prepares it; empty if they are."""

    @property
    def command(self) -> str:
        """Return the command that runs this test function alone."""
        place = "::".join(filter(None, (self.file.name, self.class_name, self.node.name)))
        return f"python3 -m pytest -q {shlex.quote(place)}"

    @property
    def title(self) -> str:
        """Return the first line of its docstring, or its name in words."""
        doc = ast.get_docstring(self.node)
        return doc.splitlines()[0] if doc else self.node.name.removeprefix("test").strip("_").replace("_", " ")

    @property
    def preparation(self) -> str:
        """Return what else prepares the function than its class and file, or an empty string."""
        return self.unusual_class or self.file.preparation

    def decorator(self, name: str) -> object:
        """Return the literal first argument of a decorator, True if it has none, or None without the decorator."""
        for node in self.node.decorator_list:
            call = node if isinstance(node, ast.Call) else None
            named = ast.unparse(call.func if call else node).rpartition(".")[2]
            if named == name:
                return literal(call.args[0]) if call and call.args else True
        return None


@dataclass(frozen=True, kw_only=True)
class TestFile:
    """A file of tests: its imports and variables, by name, and the helpers that it defines."""

    path: Path
    name: str
    """Its path as displayed."""
    tree: ast.Module
    shared: Mapping[str, str]
    helpers: frozenset[str]
    changing: frozenset[str]
    """The names whose values depend on other statements, and those of the test library."""

    @classmethod
    def of(cls, path: Path, name: str, tree: ast.Module) -> "TestFile":
        """Return the content of a file."""
        shared: dict[str, str] = {}
        changing: set[str] = set()
        for node in tree.body:
            bound = _bound_names(node)
            is_testing = isinstance(node, ast.Import | ast.ImportFrom) and _is_testing(node)
            changing |= bound & shared.keys() if not is_testing else bound
            shared |= dict.fromkeys(() if is_testing else sorted(bound), ast.unparse(node))
            if not bound and not isinstance(node, _DEFINITIONS) and not _is_start(node):
                changing |= names_in(node)
        while more := {name for name, text in shared.items() if names_in(ast.parse(text)) & changing} - changing:
            changing |= more
        helpers = frozenset(node.name for node in tree.body if isinstance(node, _DEFINITIONS))
        return cls(path=path, name=name, tree=tree, shared=shared, helpers=helpers, changing=frozenset(changing))

    @property
    def preparation(self) -> str:
        """Return the function that prepares all tests of the file, or an empty string."""
        for node in self.tree.body:
            if isinstance(node, ast.FunctionDef) and (node.name in _OF_MODULE or _is_automatic(node)):
                return f"`{node.name}` runs before it"
        return ""

    def value(self, name: str) -> ast.expr | None:
        """Return the value of a variable of the file that is only set once."""
        match ast.parse(self.shared.get(name, "")).body:
            case [ast.Assign([ast.Name()], value)] if name not in self.changing:
                return value
        return None

    @property
    def modules(self) -> tuple[str, ...]:
        """Return the modules that the file imports, in order."""
        names: dict[str, None] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                names |= dict.fromkeys(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                names[node.module] = None
        return tuple(names)

    @property
    def modules_at_top(self) -> frozenset[str]:
        """Return the top-level names of the modules that it imports."""
        return frozenset(name.partition(".")[0] for name in self.modules)

    def functions(self) -> Iterator[TestFunction]:
        """Yield the test functions of the file, and the test methods of its classes."""
        for node in self.tree.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
                yield TestFunction(file=self, class_name="", node=node, before=(), methods=frozenset())
            elif isinstance(node, ast.ClassDef):
                yield from self._methods(node)

    def _methods(self, node: ast.ClassDef) -> Iterator[TestFunction]:
        methods = {item.name: item for item in node.body if isinstance(item, ast.FunctionDef)}
        before: list[ast.stmt] = [item for item in node.body if isinstance(item, ast.Assign)]
        for name in ("setUpClass", "setUp", "setup_method"):
            before += [
                item for item in (methods[name].body if name in methods else ()) if not isinstance(item, ast.Pass)
            ]
        attributes = frozenset(name for item in node.body for name in _bound_names(item))
        unusual = _unusual(node, methods)
        for name, item in methods.items():
            if name.startswith("test"):
                yield TestFunction(
                    file=self,
                    class_name=node.name,
                    node=item,
                    before=before,
                    methods=frozenset(methods),
                    attributes=attributes,
                    unusual_class=unusual,
                )


def _unusual(node: ast.ClassDef, methods: Mapping[str, ast.FunctionDef]) -> str:
    """Return what else prepares the tests of a class than assignments and `setUp`, or an empty string."""
    for base in map(ast.unparse, node.bases):
        if base.rpartition(".")[2] not in ("TestCase", "object"):
            return f"its class has the base `{base}`"
    for name, method in methods.items():
        if name in ("setup_class", "setup", "asyncSetUp") or _is_automatic(method):
            return f"`{name}` runs before it"
    for item in node.body:
        if not isinstance(item, ast.FunctionDef | ast.Assign | ast.Pass) and not _is_text(item):
            return f"a statement with `{type(item).__name__.lower()}` in its class has no form here"
    return ""


def _is_automatic(node: ast.FunctionDef) -> bool:
    return any("autouse" in ast.unparse(decorator) for decorator in node.decorator_list)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_start(node: ast.stmt) -> bool:
    return _is_text(node) or (isinstance(node, ast.If) and "__name__" in ast.unparse(node.test))


def _is_testing(node: ast.Import | ast.ImportFrom) -> bool:
    modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
    return any(module.partition(".")[0] in UNIT_TESTING for module in modules)


def _bound_names(node: ast.stmt) -> set[str]:
    """Return the names that an import or assignment binds."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    if isinstance(node, ast.Assign) or (isinstance(node, ast.AnnAssign) and node.value):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}
    return set()


def names_in(node: ast.AST) -> set[str]:
    """Return the names that code uses or binds."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def read_files(paths: Iterable[Path], folder: Path, draft: CourseDraft) -> Iterator[TestFile]:
    """Yield the files of tests; a file that is not Python is noted."""
    for path in paths:
        name = path.relative_to(folder).as_posix()
        try:
            yield TestFile.of(path, name, ast.parse(path.read_bytes()))
        except (SyntaxError, ValueError, OSError) as error:
            draft.note(f"{name}: not imported, since it cannot be read as Python: {error}.")


def student_module(files: Sequence[TestFile], folder: Path, handed_in: Sequence[str]) -> str | None:
    """Return the file of the program that tests import: a submitted file, a file in the folder, or any file."""
    here = {file.path.stem for file in files}
    modules = dict.fromkeys(module.partition(".")[0] for file in files for module in file.modules)
    possible = [name for name in modules if name not in (*UNIT_TESTING, *here)]
    outside = [name for name in possible if name not in sys.stdlib_module_names]
    for names in (
        [name for name in possible if f"{name}.py" in handed_in],
        [name for name in possible if (folder / f"{name}.py").is_file()],
        outside if len(outside) == 1 else (),
    ):
        if names:
            return f"{names[0]}.py"
    return handed_in[0] if len(handed_in) == 1 else None
