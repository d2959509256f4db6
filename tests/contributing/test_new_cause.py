"""The recipe for a new cause works as CONTRIBUTING.md shows it."""

import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

from tests import ROOT

JUDGE = """
from tests.judge.sessions import exited, explain, game
print(*explain(game(), "a\\n4\\nb\\n", exited(game(), "a\\nNone\\nb\\n")))
"""


def test_the_recipe_makes_a_cause(tmp_path: Path) -> None:
    _, _, section = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("### To add a cause of failure\n")
    finder, entry = re.findall(r"^```python\n(.*?)^```$", section, re.M | re.S)[:2]
    copytree(ROOT / "grader", tmp_path / "grader", ignore=ignore_patterns("__pycache__"))
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    causes = tmp_path / "grader" / "judge" / "causes"
    with (causes / "line.py").open("a", encoding="utf-8") as file:
        file.write(f"\n\n{finder}")
    listed = (causes / "diagnose.py").read_text(encoding="utf-8")
    assert listed.count("    line.text,\n") == 1
    (causes / "diagnose.py").write_text(
        listed.replace("    line.text,\n", f"{entry}    line.text,\n"), encoding="utf-8"
    )
    said = subprocess.run(
        [sys.executable, "-c", JUDGE], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=True
    ).stdout
    assert said == "printed-none Line 2 is None: does a function that should return a value print it?\n"
