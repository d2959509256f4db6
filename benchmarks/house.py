"""Prints statistics about how `grader/` is built and reads, beside click, syrupy and hypothesis.

Exits with 1 if a limit is broken, and lists the places that break it; `--show` does so for every measure with a limit.
Run as `python -m benchmarks.house`.
"""

import argparse
import gc
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TypeAlias

from benchmarks import code_measures as measures
from benchmarks import reading_measures as reading
from benchmarks.source_package import Package

ROOT = Path(__file__).resolve().parents[1]
BESIDE = "click", "syrupy", "hypothesis"
COMPARABLE = *BESIDE, "_pytest", "copydetect", "cosmic_ray", "coverage", "deepdiff", "pexpect", "pluggy"
"""Installed projects that run, test or compare programs; their vocabulary is the vocabulary of the field."""

PHRASES = "whoever", "nobody", "somebody", "whatever", "besides", "of ours", "is another one"
FORBIDDEN_CLASSES = "Place", "Means", "Grounds", "Desk", "Bench", "Sign", "Done"
OUTSIDE_CORE = "grader.plugins.", "grader.run.sandbox."
DOCUMENTS = *sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), ROOT / "benchmarks" / "README.md"

# A child process can only answer through its standard streams.
_PRINTERS = (
    "grader.cli",
    "grader.plugins.bundling.entry",
    "grader.selfcheck.watch_screen",
    "grader.run.sandbox.server",
)
_COMMANDS = (".command", "_command")
_PRINTING_MODULES = (".child", *_COMMANDS)

Count: TypeAlias = Callable[[Package], Sequence[str]]
Figure: TypeAlias = Callable[[Package], float]


@dataclass(frozen=True)
class Limit:
    """A measure with the maximum number of places in `grader/`."""

    title: str
    most: int
    count: Count


@dataclass(frozen=True)
class Rate:
    """A statistic about the whole of `grader/`, with its maximum."""

    title: str
    most: float
    figure: Figure


LIMITS = (
    Limit("modules over 350 lines of code", 0, partial(measures.modules_over, lines=350)),
    Limit("functions over 40 lines, docstrings aside", 0, partial(measures.functions_over, lines=40)),
    Limit("names of public classes in more than one module", 0, measures.classes_of_one_name),
    Limit("classes with a forbidden name", 0, partial(measures.classes_called, names=FORBIDDEN_CLASSES)),
    Limit("dataclasses of more than four fields by position", 0, measures.unclear_dataclasses),
    Limit("cycles between packages", 0, measures.package_cycles),
    Limit("constants bound twice", 0, measures.constants_bound_twice),
    Limit("modules of two or more unconnected islands", 4, reading.modules_of_islands),
    Limit("modules with constants below the first definition", 0, reading.modules_of_late_constants),
    Limit("asserts", 0, measures.asserts),
    Limit("noqa", 10, measures.silenced_checks),
    Limit("None by position in calls of own functions", 0, measures.positional_nones),
    Limit("prints outside the command line and child processes", 0, lambda package: _prints(package)),
    Limit("argument parsers outside commands", 0, lambda package: _parsers(package)),
    Limit("imports of Dask outside the cluster", 0, lambda package: _dask(package)),
    Limit("unwanted phrases in prose, documents included", 9, lambda package: _phrases(package)),
)

RATES = (
    Rate("lines of code of the core", 23_900, lambda package: reading.lines_of_core(package, OUTSIDE_CORE)),
    Rate("bindings of vague words per 1,000", 5, reading.vague_bindings),
    Rate(
        "function docstrings that do not begin with a verb, %",
        23,
        lambda package: 100 - reading.docstrings_with_verb(package),
    ),
    Rate("function docstrings that begin with What, Who or Whether, %", 2, reading.docstrings_with_clause),
    *(
        Rate(f"{turn}: per 1,000 words of docstrings", 0.5, partial(reading.foreign_turns, turn=turn))
        for turn in reading.FOREIGN_TURNS
    ),
)

FIGURES: tuple[tuple[str, Figure], ...] = (
    ("modules, without an __init__ that defines nothing", lambda package: len(measures.counted_modules(package))),
    ("modules under 30 lines", lambda package: len(measures.modules_under(package, lines=30))),
    ("modules with one importer", lambda package: len(measures.modules_with_one_importer(package))),
    ("lines of the longest function", measures.longest_function),
    ("constants above the first definition, %", lambda package: 100 * measures.constants_above_definitions(package)),
    ("names of a single word, %", lambda package: 100 * measures.single_word_names(package)),
    ("words in names that two comparable projects use, %", lambda package: 100 * _shared_words(package)),
)


def main() -> int:
    """Print the statistics and the places that break a limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true", help="what is counted, for every measure with a limit")
    options = parser.parse_args()
    # Millions of nodes stay in memory, and searching them for garbage again and again takes long.
    gc.disable()
    house = Package(ROOT / "grader")
    packages = house, *map(installed_package, BESIDE)
    print(_row("", "limit", [package.name for package in packages]))
    places = {limit.title: limit.count(house) for limit in LIMITS}
    is_broken = False
    for limit in LIMITS:
        counts = [len(places[limit.title]), *(len(limit.count(package)) for package in packages[1:])]
        is_broken |= _print_limited(limit, counts, list(map(str, counts)))
    for rate in RATES:
        figures = [rate.figure(package) for package in packages]
        is_broken |= _print_limited(rate, figures, [f"{figure:.1f}" for figure in figures])
    for title, figure in FIGURES:
        print(_row(title, "", [f"{figure(package):.0f}" for package in packages]))
    for limit in LIMITS:
        if options.show or len(places[limit.title]) > limit.most:
            print(f"\n{limit.title}: at most {limit.most}")
            print(*(f"  {place}" for place in places[limit.title]), sep="\n")
    return int(is_broken)


def _print_limited(limit: Limit | Rate, figures: Sequence[float], words: Sequence[str]) -> bool:
    """Print the figures of all packages, and return whether the first package, `grader/`, is over the limit."""
    is_over = figures[0] > limit.most
    print(_row(limit.title, f"{limit.most:g}", words), "BROKEN" if is_over else "")
    return is_over


@cache
def installed_package(name: str) -> Package:
    """Return the source of an installed package; reading it takes long. Raises ModuleNotFoundError."""
    return Package(installed(name))


def installed(name: str) -> Path:
    """Return the folder of an installed package. Raises ModuleNotFoundError."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"{name} is not installed; pip install 'terminal-grader[test]'")
    return Path(spec.origin).parent


def _row(title: str, limit: str, values: Iterable[str]) -> str:
    return f"{title:<75}{limit:>6}" + "".join(f" {value:>10}" for value in values)


def _prints(package: Package) -> list[str]:
    return measures.prints(package, lambda name: name.startswith(_PRINTERS) or name.endswith(_PRINTING_MODULES))


def _parsers(package: Package) -> list[str]:
    return measures.imports_of(
        package,
        ["click", "argparse"],
        lambda name: name.startswith(_PRINTERS) or name.endswith(_COMMANDS),
    )


def _dask(package: Package) -> list[str]:
    return measures.imports_of(package, ["dask", "distributed"], lambda name: name.startswith("grader.plugins.cluster"))


def _phrases(package: Package) -> list[str]:
    return measures.turns_of_phrase(package, DOCUMENTS if package.name == "grader" else (), PHRASES)


def _shared_words(package: Package) -> float:
    others = [installed_package(name) for name in COMPARABLE if name != package.name]
    return measures.shared_words(package, others)


if __name__ == "__main__":
    sys.exit(main())
