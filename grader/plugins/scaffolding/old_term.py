"""Finds remains of the old term in a copied course."""

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from grader.config.yaml_reader import read_text
from grader.errors import SpecError
from grader.plugins.scaffolding.yaml_edits import places
from grader.text.words import pluralize

_SEED_KEYS = frozenset(("seed", "random_seed", "interactor_seed"))
_NOT_READ = frozenset(("expected",))
_MAX_BYTES = 1_000_000


def old_names(folder: Path, years: Collection[int]) -> Iterator[str]:
    """Yield the folders and files below `folder` with one of `years` in their names, and the lines that mention a year.

    A year is written with four digits, or with two digits and the term, such as 25t3. The output of references is not
    searched.
    """
    if not years:
        return
    full = "|".join(str(year) for year in sorted(years))
    short = "|".join(f"{year % 100:02}" for year in sorted(years))
    old = re.compile(rf"(?<!\d)(?:{full})(?!\d)|(?<!\d)(?:{short})[tsTS]\d(?!\d)")
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if old.search(path.name):
            yield f"{inside} is named after the old term"
        if not _NOT_READ & set(inside.parts) and path.is_file():
            yield from _old_lines(path, inside, old)


def _old_lines(path: Path, inside: Path, old: re.Pattern[str]) -> Iterator[str]:
    if path.stat().st_size > _MAX_BYTES:
        return
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        return
    numbers = [number for number, line in enumerate(lines, 1) if old.search(line)]
    if numbers:
        more = f", and {pluralize(len(numbers) - 1, 'further line')}" if len(numbers) > 1 else ""
        yield f"{inside}:{numbers[0]} names the old term{more}: {lines[numbers[0] - 1].strip()[:80]}"


def known_seeds(specs: Path) -> Iterator[str]:
    """Yield the tests files with seeds, which students of the old term may have passed on."""
    for file in sorted(specs.glob("*/tests/*.yaml")):
        try:
            seeds = sum(bool(_SEED_KEYS & set(place.steps[-1:])) for place in places(file, read_text(file)))
        except SpecError:
            continue
        if seeds:
            inside = file.relative_to(specs.parent)
            yield f"{inside} has {pluralize(seeds, 'seed')} that students of the old term may know"
