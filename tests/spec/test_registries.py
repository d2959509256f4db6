"""Late policies and code rules: the documents have what their classes declare."""

import re
from pathlib import Path

from grader.extensions import RULES, extensions
from grader.marks import policies
from grader.marks.policies import LATE_POLICIES
from grader.rules.code_rule import CodeRule
from tests import ROOT

DOCUMENT = (ROOT / "docs" / "spec-format.md").read_text()


def test_every_rule_is_in_the_table_of_the_document() -> None:
    _, _, table = DOCUMENT.partition("| rule | what breaks it |\n| --- | --- |\n")
    rules = [plugin.load_class(CodeRule) for plugin in extensions(RULES).values()]
    rows = {f"| `{rule.name}` | {rule.broken_by} |" for rule in rules}
    assert set(table.partition("\n\n")[0].splitlines()) == rows


def test_every_late_policy_is_in_the_document() -> None:
    row = re.search(r"^\| `late\.policy` \| (.*) \|$", DOCUMENT, re.MULTILINE)
    assert row is not None
    for policy in LATE_POLICIES:
        assert f"`{policy.name}`: {policy.about[0].lower()}{policy.about[1:]}" in row[1]


def test_every_module_of_a_late_policy_is_listed() -> None:
    modules = {file.stem for file in Path(str(policies.__file__)).parent.glob("*.py")} - {"__init__", "words"}
    assert {policy.__module__.rpartition(".")[2] for policy in LATE_POLICIES} == modules


def test_no_word_is_used_twice() -> None:
    words = [kind.name for kind in LATE_POLICIES]
    assert len(set(words)) == len(words)
