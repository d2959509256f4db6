"""Rules look at so much code of a submission and no more, however many files it stands in."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.rule import Rule
from grader.plugins.code_rules.style import Docstrings
from grader.rules.check import check_rules
from tests.reports.graded_example import ASSIGNMENT

PROGRAM = ASSIGNMENT.programs[0].file
RULE = Rule(id="docs", title="docstrings", check=Docstrings(), programs=(PROGRAM,))


def found(folder: Path, texts: dict[str, str]) -> list[str]:
    """What the rule says of these files."""
    for name, text in texts.items():
        (folder / name).write_text(text)
    files = {name: folder / name for name in texts}
    [result] = check_rules(replace(ASSIGNMENT, rules=(RULE,)), [PROGRAM], files, ())
    assert result.judged == (not result.findings)
    return [finding.message for finding in result.findings]


@pytest.mark.parametrize(
    ("module", "most", "reason"),
    [
        ("", 99, "m{}.py: the submission has more than 100 files of Python"),
        ("#" * 190_000, 2, "m{}.py: the submission has more than 400000 bytes of Python"),
        ("a\n" * 10_000, 1, "m{}.py: the submission has more than 50000 names, operators and the like"),
    ],
)
def test_a_submission_with_too_much_code_is_for_a_person(module: str, most: int, reason: str, tmp_path: Path) -> None:
    # Programs have room before modules.
    texts = {f"m{number}.py": module for number in range(most)} | {PROGRAM: "print(1)\n"}
    assert found(tmp_path, texts) == []
    expected = f"the grader could not check this rule ({reason.format(most)})"
    assert found(tmp_path, {f"m{most}.py": module, **texts}) != []
    assert found(tmp_path, {**texts, f"m{most}.py": module}) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"{' ' * depth}if a:\n" for depth in range(31)) + " " * 31 + "pass\n",
        f"x = {'[' * 31}1{' for a in b]' * 31}\n",
        "if a: pass\n" + "elif a: pass\n" * 211,
    ],
)
def test_a_deeply_nested_program_is_for_a_person(text: str, tmp_path: Path) -> None:
    [message] = found(tmp_path, {PROGRAM: text})
    assert "its blocks are nested too deeply" in message


def test_many_branches_are_no_deep_blocks(tmp_path: Path) -> None:
    assert found(tmp_path, {PROGRAM: "if a: pass\n" + "elif a: pass\n" * 190}) == []
