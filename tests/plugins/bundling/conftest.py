"""A course with secrets in everything that students must not get, and its bundle."""

from pathlib import Path

import pytest

from grader.expected.rationale import RuleReason, RuleReasons
from grader.plugins.bundling.bundle import make_file
from grader.spec.course import Course
from tests.conftest import SmallCourse, write_small_course

SECRETS = {
    "reference": "zq-reference",
    "hidden id": "zq-hidden-id",
    "hidden title": "zq-hidden-title",
    "hidden input": "zq-hidden-input",
    "hidden expectation": "zq-hidden-expected",
    "hidden twin": "zq-twin",
    "hidden file": "zq-hidden-file",
    "rule about hidden tests": "zq-hard-coding",
    "sealed expectation": "zq-sealed-expected",
    "reason of an extension": "zq-reason",
    "rule of a sealed test": "zq-rule-sealed",
    "rule of a hidden test": "zq-rule-hidden",
}

RULE = "the number is doubled"

REFERENCE = f"""\
# {SECRETS["reference"]}
number = int(input("Number: "))
print("Double:", 2 * number)
"""

TESTS = f"""\
format: 1
program: double.py
part: doubles
tests:
  - {{id: small, title: a small number, visibility: public, points: 4, input: [4]}}
  - {{id: closed, title: a sealed one, visibility: public, sealed: true, points: 1, input: [5]}}
  - id: {SECRETS["hidden id"]}-$n
    title: {SECRETS["hidden title"]}
    for: {{n: [{SECRETS["hidden input"]}, 12]}}
    points: 1
    input: [$n]
  - {{id: {SECRETS["hidden twin"]}, hidden_twin_of: small, points: 2, input: [9]}}
  - {{id: from-file, points: 1, stdin: hidden.txt}}
"""

RULES = f"""\
rules:
  - {{id: no-eval, title: no eval, rule: forbidden-names, names: [eval]}}
  - {{id: {SECRETS["rule about hidden tests"]}, title: nothing is hard-coded, rule: hard-coded-output, zero_mark: true}}
"""


@pytest.fixture(scope="session")
def secret_course(tmp_path_factory: pytest.TempPathFactory) -> SmallCourse:
    """Shared by the tests, which may only add submissions."""
    course = write_small_course(tmp_path_factory.mktemp("secret"))
    folder = course.folder
    spec = folder / "test_specs" / "doubles"
    extension = f"format: 1\nextensions: [{{student: x, reason: {SECRETS['reason of an extension']}}}]\n"
    texts = {
        "reference/double.py": REFERENCE,
        "test_specs/doubles/tests/double.yaml": TESTS,
        "test_specs/doubles/inputs/hidden.txt": SECRETS["hidden file"],
        "submissions/doubles/extensions.yaml": extension,
    }
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    assignment = spec / "assignment.yaml"
    assignment.write_text(assignment.read_text().replace("due:", f"{RULES}due:"))
    for variant in ("canonical", "wordy"):
        for hidden in (SECRETS["hidden id"] + "-12", SECRETS["hidden twin"], "from-file"):
            (spec / "expected" / f"{hidden}.{variant}.txt").write_text(SECRETS["hidden expectation"])
        write_rules(spec, f"small.{variant}", RULE)
        write_rules(spec, f"closed.{variant}", SECRETS["rule of a sealed test"])
        write_rules(spec, f"{SECRETS['hidden twin']}.{variant}", SECRETS["rule of a hidden test"])
        text = f"Number: 5\n{'Double' if variant == 'canonical' else 'Twice'}: 10\n{SECRETS['sealed expectation']}\n"
        (spec / "expected" / f"closed.{variant}.txt").write_text(text)
    return course


def write_rules(spec: Path, name: str, rule: str) -> None:
    """Let a reference have said which rule is behind the second line."""
    (spec / "expected" / f"{name}.because.json").write_text(RuleReasons((RuleReason(2, 1, rule),)).text())


@pytest.fixture(scope="session")
def bundle(secret_course: SmallCourse, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bundle")
    return make_file(Course(secret_course.folder).assignment("doubles"), folder / "grader.pyz").path
