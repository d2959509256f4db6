"""Rules that other distributions register: used, missing, broken, and carried in bundles."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.conftest import RIGHT, SmallCourse, bare_python
from tests.test_extensions import install, run

POINTS = "[grader.rules]\nno-loops = greetings:NoLoops\n"
RULE = """\
import ast
from dataclasses import dataclass
from grader.rules.code_rule import HiddenTestRule, SourceRule


@dataclass(frozen=True)
class NoLoops(SourceRule):
    "There are few loops."

    name = "no-loops"
    broken_by = "There are too many loops."
    most: int = 0

    def findings(self, source):
        loops = [node for node in ast.walk(source.tree) if isinstance(node, ast.For | ast.While)]
        for loop in loops[self.most:]:
            yield source.finding(loop.lineno, f"a loop; expected at most {self.most}")
"""
LOOP = RIGHT + "for _ in []:\n    pass\n"
FINDING = "a loop; expected at most 0: for _ in []:"


def with_rule(course: SmallCourse, rule: str = "no-loops") -> Path:
    """Add a rule to the assignment, hand in a program with a loop, and return its folder."""
    assignment = course.folder / "test_specs" / "doubles" / "assignment.yaml"
    assignment.write_text(f"{assignment.read_text()}rules:\n  - {{id: loops, title: no loops, rule: {rule}}}\n")
    return course.hand_in("ada", LOOP)


@pytest.mark.slow
def test_a_rule_is_checked_and_described(small_course: SmallCourse, tmp_path: Path) -> None:
    install(tmp_path, RULE, POINTS)
    program = with_rule(small_course)
    assert FINDING in run(tmp_path, "check", program).stdout
    # The next check sees that the package has changed.
    (tmp_path / "greetings.py").write_text(RULE.replace("a loop;", "a circle;"))
    assert FINDING.replace("loop", "circle", 1) in run(tmp_path, "check", program).stdout
    rules = json.loads(run(tmp_path, "schema", "assignment").stdout)["$defs"]["NoLoopsEntry"]["properties"]
    assert (rules["rule"]["enum"], rules["most"]["type"]) == (["no-loops"], "integer")


@pytest.mark.slow
def test_without_its_distribution_the_others_are_listed(small_course: SmallCourse, tmp_path: Path) -> None:
    install(tmp_path / "installed", RULE, POINTS)
    program = with_rule(small_course)
    assert FINDING in run(tmp_path / "installed", "check", program).stdout
    missing = run(tmp_path, "check", program)
    assert (missing.returncode, missing.stdout) == (2, "")
    assert "found `no-loops`; expected one of `docstrings`, " in missing.stderr
    install(tmp_path / "other", RULE, POINTS.replace("no-loops", "no-rings"))
    assert "`no-nested-functions`, `no-rings`, `own-functions`" in run(tmp_path / "other", "check", program).stderr


@pytest.mark.parametrize(
    ("was", "now", "fault"),
    [
        ("import ast", "import nowhere", "cannot be loaded: ModuleNotFoundError: No module named 'nowhere'"),
        ("class No", "class ", "cannot be loaded: AttributeError: module 'greetings' has no attribute 'NoLoops'"),
        ("(SourceRule)", "", "is the class NoLoops; expected one that derives from CodeRule"),
        ("@dataclass(frozen=True)\n", "", "is the class NoLoops; expected a dataclass"),
        ('name = "no-loops"', 'name = "loops"', "is a class without `name = 'no-loops'`"),
        ("most: int", "most: nothing", "cannot be loaded: NameError: name 'nothing' is not defined"),
        ("most: int", "most: 'nothing'", "has options that cannot be read: NameError: name 'nothing' is not defined"),
    ],
)  # fmt: skip
def test_a_broken_rule_is_named(was: str, now: str, fault: str, small_course: SmallCourse, tmp_path: Path) -> None:
    install(tmp_path, RULE.replace(was, now), POINTS)
    broken = run(tmp_path, "check", with_rule(small_course))
    message = f"The plugin `no-loops` of course-greetings 2.1 (greetings:NoLoops) {fault}. Upgrade or remove"
    assert (broken.returncode, broken.stdout) == (2, "")
    assert message in broken.stderr


@pytest.mark.slow
def test_a_broken_rule_stops_only_assignments_with_it(small_course: SmallCourse, tmp_path: Path) -> None:
    install(tmp_path, "import nowhere", POINTS)
    assert run(tmp_path, "check", small_course.hand_in("bob", RIGHT)).returncode == 0
    schema = json.loads(run(tmp_path, "schema", "assignment").stdout)["$defs"]
    assert "DocstringsEntry" in schema
    assert "NoLoopsEntry" not in schema


@pytest.mark.slow
def test_a_rule_that_fails_leaves_the_others_alone(small_course: SmallCourse, tmp_path: Path) -> None:
    install(tmp_path, RULE.replace("loops = [", "loops = 1 / 0 + ["), POINTS)
    check = run(tmp_path, "check", with_rule(small_course))
    assert "the grader could not check this rule (ZeroDivisionError: division by zero)" in check.stdout


def bundle(folder: Path, course: SmallCourse) -> subprocess.CompletedProcess[str]:
    return run(folder, "bundle", "doubles", "--course", course.folder, "--output", folder / "grader.pyz")


@pytest.mark.slow
def test_a_bundle_carries_it(small_course: SmallCourse, tmp_path: Path) -> None:
    install(tmp_path, "", POINTS)
    (tmp_path / "greetings.py").unlink()
    (tmp_path / "greetings").mkdir()
    (tmp_path / "greetings" / "__init__.py").write_text("from .parts.loops import NoLoops\n")
    (tmp_path / "greetings" / "parts").mkdir()
    (tmp_path / "greetings" / "parts" / "__init__.py").write_text("")
    (tmp_path / "greetings" / "parts" / "loops.py").write_text(RULE + "\nfrom ..other import NAME\n")
    (tmp_path / "greetings" / "other.py").write_text("NAME = 'other'\n")
    program = with_rule(small_course)
    made = bundle(tmp_path, small_course)
    assert made.returncode == 0, made.stderr
    command = [*bare_python(), str(tmp_path / "grader.pyz"), "check", str(program)]
    checked = subprocess.run(command, cwd=tmp_path, env={}, capture_output=True, text=True, check=False)
    assert FINDING in checked.stdout, checked.stderr


@pytest.mark.slow
def test_a_bundle_cannot_carry_what_is_no_part_of_it(small_course: SmallCourse, tmp_path: Path) -> None:
    install(tmp_path, f"import yaml\n{RULE}", POINTS)
    with_rule(small_course)
    refused = bundle(tmp_path, small_course)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == "A bundle cannot have yaml, which the module greetings imports.\n"
