"""Late policies and code rules: the documents have what their classes declare."""

import re

from grader.extensions import LATE_POLICIES, RULES, extensions
from grader.model.policy import LatePolicy
from grader.rules.code_rule import CodeRule
from tests import ROOT

DOCUMENT = (ROOT / "docs" / "reference" / "files" / "assignment.md").read_text()


def test_every_rule_is_in_the_table_of_the_document() -> None:
    _, _, table = DOCUMENT.partition("| rule | what breaks it |\n| --- | --- |\n")
    rules = [plugin.load_class(CodeRule) for plugin in extensions(RULES).values()]
    rows = {f"| `{rule.name}` | {rule.broken_by} |" for rule in rules}
    assert set(table.partition("\n\n")[0].splitlines()) == rows


def test_every_late_policy_is_in_the_document() -> None:
    row = re.search(r"^\| `late\.policy` \| (.*) \|$", DOCUMENT, re.MULTILINE)
    assert row is not None
    for plugin in extensions(LATE_POLICIES).values():
        policy = plugin.load_class(LatePolicy)  # type: ignore[type-abstract]
        assert f"`{policy.name}`: {policy.about[0].lower()}{policy.about[1:]}" in row[1]
