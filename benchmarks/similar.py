"""Measures how well and how fast similar programs are found, and prints JSON.

Programs consist of random functions from Python's standard library; programs of independent students have no functions
in common. They are copied by renaming everything, reordering functions, changing comments, texts and layout, doing all
of this at once, and taking only half of the functions. The time is for 1,000 programs, compared with the time that
copydetect's own detector takes for the same files.
"""

import argparse
import ast
import builtins
import json
import random
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from grader.plugins.similarity.fingerprints import ProgramSource, similar_pairs

_FUNCTIONS = 8
_LINES = range(6, 40)


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=1000)
    parser.add_argument("--copies", type=int, default=40, help="copies of each kind")
    parser.add_argument("--least", type=float, default=60, help="percent")
    arguments = parser.parse_args()
    chance = random.Random(9)
    pool = functions()
    chance.shuffle(pool)
    print(
        json.dumps(
            {
                "found": found(pool, chance, arguments.copies, arguments.least / 100),
                "speed": speed(pool, chance, arguments.students, arguments.least / 100),
            },
            indent=1,
        )
    )


def functions() -> list[str]:
    """Return functions of the standard library, of a length that students write."""
    return sorted(set(iter_functions()))


def iter_functions() -> Iterator[str]:
    """Yield the same functions one by one, as they are found."""
    for file in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno in _LINES:
                yield ast.unparse(node)


def renamed(program: str, chance: random.Random) -> str:
    """Return the program with all names that it defines changed."""
    tree = ast.parse(program)
    own = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - set(dir(builtins))
    own |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    own |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    names = {name: f"{chance.choice('abcdefgh')}_{number}" for number, name in enumerate(sorted(own))}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = names[node.arg]
        elif isinstance(node, ast.FunctionDef):
            node.name = names[node.name]
    return ast.unparse(tree)


def reordered(program: str, chance: random.Random) -> str:
    """Return the program with its functions in a different order."""
    tree = ast.parse(program)
    chance.shuffle(tree.body)
    return ast.unparse(tree)


def recommented(program: str, chance: random.Random) -> str:
    """Return the program with different comments, blank lines and docstrings."""
    lines = []
    for line in program.splitlines():
        if chance.random() < 0.2 and not line.rstrip().endswith(("\\", '"""')):
            lines.append("" if chance.random() < 0.5 else f"# note {chance.randrange(1000)}")
        lines.append(line)
    return "\n".join(lines)


def all_at_once(program: str, chance: random.Random) -> str:
    """Return the program renamed, in a different order, and with different comments."""
    return recommented(reordered(renamed(program, chance), chance), chance)


KINDS: dict[str, Callable[[str, random.Random], str]] = {
    "renamed": renamed,
    "reordered": reordered,
    "recommented": recommented,
    "all at once": all_at_once,
}


def found(pool: Sequence[str], chance: random.Random, copies: int, least: float) -> dict[str, object]:
    """Return the precision, and the recall by kind of copy, among as many independent programs as copies."""
    programs = iter_programs(pool, chance)
    sources, true = [], {}
    for kind, change in [*KINDS.items(), ("half", half(pool, chance))]:
        for number in range(copies):
            name = f"{kind} {number}"
            original = next(programs)
            sources += [
                ProgramSource(name, "game.py", original),
                ProgramSource(f"{name} copy", "game.py", change(original, chance)),
            ]
            true[name, f"{name} copy"] = kind
    sources += [ProgramSource(f"own {number}", "game.py", next(programs)) for number in range(copies)]
    pairs = {pair.names[:2] for pair in similar_pairs(sources, [], least=least, common=10)}
    right = [kind for names, kind in true.items() if names in pairs]
    return {
        "programs": len(sources),
        "precision": round(len(right) / len(pairs), 4) if pairs else None,
        "recall": {kind: round(right.count(kind) / copies, 4) for kind in dict.fromkeys(true.values())},
    }


def half(pool: Sequence[str], chance: random.Random) -> Callable[[str, random.Random], str]:
    """Return half of the functions of one program among the copier's own functions."""

    def change(program: str, _: random.Random) -> str:
        taken = ast.parse(program).body[: _FUNCTIONS // 2]
        own = chance.sample(pool, _FUNCTIONS // 2)
        return renamed("\n\n".join([*own, *map(ast.unparse, taken)]), chance)

    return change


def iter_programs(pool: Sequence[str], chance: random.Random) -> Iterator[str]:
    """Yield programs with several functions; every function is used once before any is used again."""
    while True:
        order = chance.sample(pool, len(pool))
        for start in range(0, len(order) - _FUNCTIONS, _FUNCTIONS):
            yield "\n\n\n".join(order[start : start + _FUNCTIONS])


def speed(pool: Sequence[str], chance: random.Random, students: int, least: float) -> dict[str, object]:
    """Return the seconds for a class, and the ratio to copydetect's detector on the same files."""
    programs = ["\n\n\n".join(chance.sample(pool, _FUNCTIONS)) for _ in range(students)]
    start = time.perf_counter()
    pairs = similar_pairs(
        [ProgramSource(str(number), "game.py", code) for number, code in enumerate(programs)],
        [],
        least=least,
        common=10,
    )
    own = time.perf_counter() - start
    with tempfile.TemporaryDirectory() as name:
        for number, code in enumerate(programs):
            (Path(name) / f"{number}.py").write_text(code, encoding="utf-8")
        other = detector(name, least)
    return {
        "files": students,
        "lines": sum(code.count("\n") for code in programs),
        "pairs": len(pairs),
        "seconds": round(own, 2),
        "to_copydetect": round(own / other, 3),
    }


def detector(folder: str, least: float) -> float:
    """Return the seconds that copydetect takes."""
    from copydetect import CopyDetector

    made = CopyDetector(test_dirs=[folder], extensions=["py"], display_t=least, silent=True)
    start = time.perf_counter()
    made.run()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
