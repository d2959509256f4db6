"""Drive the reference programs as a shell with pipes does: typed lines in, everything printed out."""

import functools
import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from tests import ROOT

REFERENCE = ROOT / "reference"
SAMPLES = Path(__file__).resolve().parent / "samples"
PROMPT = "Enter an integer to pass to the seed() function: "


def environment(**changes: str) -> dict[str, str]:
    """Return this process's environment without what would change a Python program's behaviour."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PYTHON") and name != "REFERENCE_VARIANT"
    }
    return kept | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"} | changes


def run(
    *arguments: str, typed: Sequence[str] = (), variant: str | None = None, interpreter: str = sys.executable
) -> subprocess.CompletedProcess[str]:
    """Run Python with some arguments in the folder of the reference programs."""
    changes = {} if variant is None else {"REFERENCE_VARIANT": variant}
    return subprocess.run(
        [interpreter, *arguments],
        input="".join(f"{line}\n" for line in typed),
        cwd=REFERENCE,
        env=environment(**changes),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def output(*arguments: str, typed: Sequence[str] = (), variant: str | None = None) -> str:
    """Return what a program prints that must end well and print no error."""
    done = run(*arguments, typed=typed, variant=variant)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def simulation(program: str, n: int, i: int) -> str:
    """Return what simulate(n, i) prints."""
    return output("-c", f"from {program} import simulate; simulate({n}, {i})")


@functools.cache
def load(program: str) -> ModuleType:
    """Import a reference program, in its canonical variant."""
    specification = importlib.util.spec_from_file_location(f"reference_{program}", REFERENCE / f"{program}.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def menu(nb_of_lines: int) -> str:
    """Return what the viewer of solitaire_2 prints each time before it reads a request."""
    return (
        "Enter: q to quit\n"
        f"       a last line number (between 1 and {nb_of_lines})\n"
        f"       a first line number (between -1 and -{nb_of_lines})\n"
        f"       a range of line numbers (of the form m--n with 1 <= m <= n <= {nb_of_lines})\n"
        "       "
    )


def view(seed: int, *requests: str, variant: str | None = None, leave: str = "q") -> tuple[str, list[str]]:
    """Run solitaire_2 with some requests; return what comes before the first menu and after each request."""
    printed = output("solitaire_2.py", typed=[str(seed), *requests, leave], variant=variant)
    announced = re.search("There are ([0-9]+) lines of output", printed)
    assert announced is not None
    head, *answers, after_leaving = printed.split(menu(int(announced[1])))
    assert after_leaving == ""
    return head, answers


@functools.cache
def collected(seed: int, variant: str | None = None) -> list[str]:
    """Return all the lines that solitaire_2 collects for a seed, as its viewer shows them."""
    head, _ = view(seed, variant=variant)
    announced = re.search("There are ([0-9]+) lines", head)
    assert announced is not None
    _, [answer] = view(seed, announced[1], variant=variant)
    if variant == "course":
        answer = answer.removeprefix("\n")
    return answer.removesuffix("\n\n").split("\n")
