"""Late policies and code rules: what their classes declare stands in the documents, and former words are read."""

import re
from pathlib import Path

from grader.marks import policies
from grader.marks.policies import LATE_POLICIES
from grader.model.option import Registered
from grader.rules import CODE_RULES
from tests import ROOT

DOCUMENT = (ROOT / "docs" / "spec-format.md").read_text()
KINDS: list[type[Registered]] = [*LATE_POLICIES, *CODE_RULES]


def test_every_rule_is_in_the_table_of_the_document() -> None:
    _, _, table = DOCUMENT.partition("| rule | what breaks it |\n| --- | --- |\n")
    rows = "".join(f"| `{rule.name}` | {rule.broken_by} |\n" for rule in CODE_RULES)
    assert table.partition("\n\n")[0] + "\n" == rows


def test_every_late_policy_is_in_the_document() -> None:
    row = re.search(r"^\| `late\.policy` \| (.*) \|$", DOCUMENT, re.MULTILINE)
    assert row is not None
    for policy in LATE_POLICIES:
        assert f"`{policy.name}`: {policy.about[0].lower()}{policy.about[1:]}" in row[1]


def test_every_module_of_a_late_policy_is_listed() -> None:
    modules = {file.stem for file in Path(str(policies.__file__)).parent.glob("*.py")} - {"__init__", "words"}
    assert {policy.__module__.rpartition(".")[2] for policy in LATE_POLICIES} == modules


def test_no_word_is_used_twice() -> None:
    for kinds in (LATE_POLICIES, CODE_RULES):
        words = [kind.name for kind in kinds]
        assert len(set(words)) == len(words)
