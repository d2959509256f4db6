"""Sample sessions in public course pages, each with a program that should print it.

Pages name an exercise by `tmcname="..."` and show its sessions in `<sample-output>`; a repository of solutions has a
folder of that name with one program. A page README.md goes with the programs in its own folder.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_EXERCISE = re.compile(r"<[\w-]*exercise\b[^>]*\btmcname=(['\"])(?P<name>.+?)\1")
_END = re.compile(r"</[\w-]*exercise>")
_READS = re.compile(r"\binput\(|\bscanf\(|\bScanner\(|\bfgets\(|\bget_\w+\(")
_PROGRAMS = frozenset((".py", ".c", ".java"))


@dataclass(frozen=True)
class HandoutSample:
    """A page, the program, and the lines of the sample; without lines, the whole page is searched."""

    page: Path
    program: Path
    lines: tuple[str, ...] = ()


def of_exercises(pages: Path, solutions: Path, every: int) -> Iterator[HandoutSample]:
    """Yield every `every`-th sample of pages whose exercise is solved by a single program."""
    programs = _solved(solutions)
    samples = [
        HandoutSample(page, programs[name], (lines,))
        for page in sorted(pages.rglob("*.md"))
        for name, lines in _exercises(page.read_text("utf-8", "replace").splitlines())
        if name in programs
    ]
    yield from samples[::every]


def readme_samples(root: Path) -> Iterator[HandoutSample]:
    """Yield each page with the programs in its folder that read input."""
    for page in sorted(root.rglob("README.md")):
        for program in sorted(page.parent.iterdir()):
            if program.suffix in _PROGRAMS and _READS.search(program.read_text("utf-8", "replace")):
                yield HandoutSample(page, program)


def _solved(solutions: Path) -> dict[str, Path]:
    """Return the program of each folder that has a single program."""
    solved: dict[str, Path] = {}
    for folder in solutions.rglob("src"):
        programs = [file for file in sorted(folder.rglob("*")) if file.suffix in _PROGRAMS and "test" not in file.parts]
        if len(programs) == 1 and _READS.search(programs[0].read_text("utf-8", "replace")):
            solved[folder.parent.name] = programs[0]
    return solved


def _exercises(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the name of each exercise, and the lines of a session in it with the typed text marked."""
    name, first = "", 0
    for number, line in enumerate(lines, 1):
        if match := _EXERCISE.search(line):
            name = "" if "<!--" in line else match["name"]
        elif _END.search(line):
            name = ""
        elif line.strip() == "<sample-output>":
            first = number + 1
        elif line.strip() == "</sample-output>" and name and any("**" in text for text in lines[first - 1 : number]):
            yield name, f"{first}-{number - 1}"
