"""The recipe for a new cause works as CONTRIBUTING.md shows it."""

import subprocess
import sys
from pathlib import Path

from tests import ROOT
from tests.contributing.recipes import follow

JUDGE = """
from tests.judge.sessions import exited, explain, game
print(*explain(game(), "a\\n4\\nb\\n", exited(game(), "a\\nNone\\nb\\n")))
"""


def test_the_recipe_makes_a_cause(tmp_path: Path) -> None:
    assert len(follow(tmp_path, "To add a cause of failure")) == 2
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    said = subprocess.run(
        [sys.executable, "-c", JUDGE], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=True
    ).stdout
    assert said == "printed-none Line 2 is None: does a function that should return a value print it?\n"
