"""Mutants: correct programs with one mistake each, made by the mutation operators of Cosmic Ray."""

import ast
import difflib
import hashlib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from functools import cache
from itertools import pairwise
from random import Random

from grader.errors import GraderError
from grader.installation import install_command
from grader.plugins.auditing.base_program import Accepted, BaseProgram, Reference
from grader.text.syntax import parse

OF_SUBMISSION = "s-"
"""The prefix of the ids of mutants made from students' programs."""

# These operators need arguments.
_NOT_USED = {"VariableReplacer", "VariableInserter"}


class MistakeSource(StrEnum):
    """The origin of the mistakes in a mutant."""

    OPERATOR = "mistakes by operators"
    PAIR = "pairs of mistakes by operators"
    CATALOGUE = "mistakes of audit.yaml"


@dataclass(frozen=True)
class Mutant:
    """A faulty version of the program `base`: a description of the mistake, the text, and the origin of the mistake."""

    base: BaseProgram
    about: str
    source: str
    mistake: MistakeSource = MistakeSource.OPERATOR

    @property
    def id(self) -> str:
        """A short name, which stays the same as long as the function does not change above the mutated line."""
        hunks = self._hunks(0)
        lines = [line for line in hunks if not line.startswith("@@")]
        start = _hunk_start(next(line for line in hunks if line.startswith("@@")))
        definition = self._definition(start)
        where = start - self.base.source.splitlines().index(definition) if definition else start
        words = [self.base.file, definition, str(where), *lines]
        match self.base.origin:
            case Reference():
                return _short_digest(words)
            case Accepted():
                return OF_SUBMISSION + _short_digest([*words, self.base.source])

    @property
    def diff(self) -> str:
        """The change as a unified diff that names the function."""
        return "\n".join(
            f"{line} {self._definition(_hunk_start(line) + 2).strip()}".rstrip() if line.startswith("@@") else line
            for line in self._hunks(2)
        )

    def _hunks(self, context: int) -> list[str]:
        before, after = self.base.source.splitlines(), self.source.splitlines()
        return list(difflib.unified_diff(before, after, n=context, lineterm=""))[2:]

    def _definition(self, line: int) -> str:
        """Return the nearest `def` or `class` line at or above a line, or an empty string."""
        above = reversed(self.base.source.splitlines()[:line])
        return next((text for text in above if text.lstrip().startswith(("def ", "class "))), "")


def _short_digest(words: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:8]


def _hunk_start(hunk: str) -> int:
    """Return the line where a hunk starts, from its heading `@@ -4,5 +4,5 @@`."""
    return int(hunk.split()[1].split(",")[0].lstrip("-"))


class AuditError(GraderError):
    """The tests cannot be audited."""


@dataclass(frozen=True)
class MutationSite:
    """A place where an operator applies: its number (`occurrence`) within a top-level statement (`part`)."""

    base: BaseProgram
    operator: str
    part: int
    occurrence: int


def mutation_sites(base: BaseProgram, leave: Sequence[str] = ()) -> Iterator[MutationSite]:
    """Yield every site in a program, except on lines with a string in `leave`; a `def` line covers its whole function.

    Raises AuditError if Cosmic Ray is not installed.
    """
    try:
        from cosmic_ray.ast import ast_nodes, get_ast
        from cosmic_ray.operators.provider import OperatorProvider
    except ImportError:
        raise AuditError(f"Auditing needs Cosmic Ray; install it with: {install_command('audit')}") from None
    provider = OperatorProvider()
    excluded_lines = _protected_lines(base.source, leave)
    parts = [list(ast_nodes(part)) for part in get_ast(base.source).children]
    for name in sorted(set(provider) - _NOT_USED):
        operator = provider[name]()
        for index, nodes in enumerate(parts):
            positions = (position for node in nodes for position in operator.mutation_positions(node))
            for number, (start, _) in enumerate(positions):
                if start[0] not in excluded_lines:
                    yield MutationSite(base, name, index, number)


def _protected_lines(original: str, leave: Sequence[str]) -> set[int]:
    """Return the numbers of the lines that contain a string in `leave`; a `def` line covers its whole function."""
    named = {number for number, line in enumerate(original.splitlines(), 1) if any(text in line for text in leave)}
    functions = (node for node in ast.walk(parse(original)) if isinstance(node, ast.FunctionDef))
    whole = (range(node.lineno, (node.end_lineno or 0) + 1) for node in functions if node.lineno in named)
    return named.union(*whole)


def mutants_at(chosen: Iterable[MutationSite]) -> Iterator[Mutant]:
    """Yield each distinct mutant at these sites that can be parsed and differs in meaning from the original."""
    from cosmic_ray.ast import get_ast
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.operators.provider import OperatorProvider

    provider = OperatorProvider()
    seen: set[tuple[BaseProgram, str]] = set()
    parts_of: dict[BaseProgram, list[str]] = {}
    for spot in chosen:
        if spot.base not in parts_of:
            parts_of[spot.base] = [part.get_code() for part in get_ast(spot.base.source).children]
        parts = parts_of[spot.base]
        # Mutating one part is much faster than mutating the whole program.
        changed = mutate_code(parts[spot.part], provider[spot.operator](), spot.occurrence)
        if changed is None:
            continue
        source = "".join((*parts[: spot.part], changed, *parts[spot.part + 1 :]))
        if (spot.base, source) in seen:
            continue
        try:
            if _meaning(changed) == _original_meaning(parts[spot.part]):
                continue
        except SyntaxError:
            continue
        seen.add((spot.base, source))
        yield Mutant(spot.base, spot.operator, source)


def in_any_order(base: BaseProgram, leave: Sequence[str], seed: int) -> Iterator[Mutant]:
    """Yield the mutants of a program lazily, in an order shuffled by `seed`."""
    sites = list(mutation_sites(base, leave))
    yield from mutants_at(Random(seed).sample(sites, len(sites)))


def in_turn(pools: Iterable[Iterator[Mutant]]) -> Iterator[Mutant]:
    """Yield one mutant from each pool in turn, until all pools are empty."""
    waiting = deque(pools)
    while waiting:
        pool = waiting.popleft()
        mutant = next(pool, None)
        if mutant is not None:
            yield mutant
            waiting.append(pool)


def _meaning(source: str) -> str:
    """Return a dump of top-level statements without annotations and positions, which do not matter at run time."""
    return ast.dump(_Bare().visit(parse(source)))


_original_meaning = cache(_meaning)


class _Bare(ast.NodeTransformer):
    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)


def paired(mutants: Iterable[Mutant]) -> Iterator[Mutant]:
    """Combine the mutants of one program in pairs, in order; mutants without a partner are left out.

    Two mutants can be paired if the lines that they change are at least one line apart.
    """
    waiting: list[Mutant] = []
    for mutant in mutants:
        for index, partner in enumerate(waiting):
            both = _combined(partner, mutant)
            if both is not None:
                del waiting[index]
                yield both
                break
        else:
            waiting.append(mutant)


def _combined(first_mutant: Mutant, second_mutant: Mutant) -> Mutant | None:
    changes = sorted((*_changed_ranges(first_mutant), *_changed_ranges(second_mutant)))
    if any(first[1] >= second[0] for first, second in pairwise(changes)):
        return None
    lines = first_mutant.base.source.splitlines(keepends=True)
    for start, end, instead in reversed(changes):
        lines[start:end] = instead
    source = "".join(lines)
    try:
        parse(source)
    except SyntaxError:
        return None
    return Mutant(first_mutant.base, f"{first_mutant.about} and {second_mutant.about}", source, MistakeSource.PAIR)


def _changed_ranges(mutant: Mutant) -> list[tuple[int, int, list[str]]]:
    """Return the ranges of lines that a mutant changes, each with its replacement."""
    before, after = (text.splitlines(keepends=True) for text in (mutant.base.source, mutant.source))
    return [
        (start, end, after[first:last])
        for tag, start, end, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        if tag != "equal"
    ]
