"""A command of the prepared process does what a command does that is started."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.conftest import RIGHT, SmallCourse
from tests.prepared_grader import PreparedGrader

OWNER = """
import os
from tests.prepared_grader import PreparedGrader
prepared = PreparedGrader()
assert prepared.run("--version", folder=".").returncode == 0
os.kill(os.getpid(), 9)
"""


def started(
    *arguments: str | Path, folder: Path, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "grader", *map(str, arguments)]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [((), 2), (("--version",), 0), (("check", "."), 1), (("check", "nowhere.py"), 2), (("check", "--jobs"), 2)],
)
def test_it_prints_and_ends_like_a_start(
    arguments: tuple[str, ...], code: int, prepared: PreparedGrader, small_course: SmallCourse
) -> None:
    folder = small_course.hand_in("wrong", RIGHT.replace("2", "3"))
    real = started(*arguments, folder=folder)
    assert vars(prepared.run(*arguments, folder=folder)) == vars(real)
    assert real.returncode == code


@pytest.mark.slow
@pytest.mark.parametrize(
    "variables",
    [
        {"COLUMNS": "30", "FORCE_COLOR": "1"},
        pytest.param({"PYTHONIOENCODING": "latin-1"}, marks=pytest.mark.slow),
    ],
)
def test_the_variables_are_those_of_the_request(
    variables: dict[str, str], prepared: PreparedGrader, small_course: SmallCourse
) -> None:
    folder = small_course.hand_in("right", RIGHT)
    plain = prepared.run("check", folder, folder=folder).stdout
    environment = {**os.environ, **variables}
    real = started("check", folder, folder=folder, environment=environment)
    assert prepared.run("check", folder, folder=folder, environment=environment).stdout == real.stdout
    assert prepared.run("check", folder, folder=folder).stdout == plain


@pytest.mark.slow
def test_it_ends_with_its_owner() -> None:
    # The prepared process holds the end of this pipe too: what can be read ends with it.
    with subprocess.Popen([sys.executable, "-c", OWNER], stderr=subprocess.PIPE, text=True) as owner:
        assert owner.communicate(timeout=60)[1] == ""
    assert owner.returncode == -9
