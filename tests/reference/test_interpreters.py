"""The reference programs print the same under every version of Python that they are written for."""

import os
import shutil
import subprocess
import sys
from functools import cache

import pytest

from tests.reference.programs import environment, run

DIALOGUES = [
    *[("solitaire_1.py", variant, [seed]) for variant in ("canonical", "plain-face") for seed in ("0", "3", "72")],
    *[
        ("solitaire_2.py", variant, [seed, "1--700", "-40", "1 - - 2", "q"])
        for variant in ("canonical", "course", "course-tight")
        for seed in ("32", "167")
    ],
]
SIMULATIONS = [f"from {program} import simulate; simulate(300, 0)" for program in ("solitaire_1", "solitaire_2")]


def runs_as(interpreter: str, version: str) -> bool:
    """Tell whether a file found on PATH really is an interpreter of a version: it may be a pyenv shim."""
    done = subprocess.run(
        [interpreter, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
        env=environment(PYENV_VERSION=version),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return done.returncode == 0 and done.stdout == f"{version}\n"


def find_interpreter(version: str) -> str | None:
    """Return the first interpreter of a version on PATH that runs."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    found = (shutil.which(f"python{version}", path=folder) for folder in folders)
    return next((interpreter for interpreter in found if interpreter and runs_as(interpreter, version)), None)


@cache
def printed(interpreter: str) -> list[str]:
    """What the references print in all dialogues and simulations, run by an interpreter."""
    dialogues = [
        run(program, typed=typed, variant=variant, interpreter=interpreter) for program, variant, typed in DIALOGUES
    ]
    done = [*dialogues, *(run("-c", call, interpreter=interpreter) for call in SIMULATIONS)]
    assert {(one.returncode, one.stderr) for one in done} == {(0, "")}
    return [one.stdout for one in done]


@pytest.mark.slow
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_prints_the_same_under(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    interpreter = find_interpreter(version)
    if interpreter is None:
        pytest.skip(f"no python{version} that runs is on PATH")
    monkeypatch.setenv("PYENV_VERSION", version)
    assert printed(interpreter) == printed(sys.executable)
