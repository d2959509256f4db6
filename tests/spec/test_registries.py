"""Late policies and code rules: what their classes declare stands in the documents, and former words are read."""

import re
from pathlib import Path

import pytest

from grader.marks import policies
from grader.marks.policies import LATE_POLICIES
from grader.model.option import Registered
from grader.rules import CODE_RULES
from tests import ROOT
from tests.spec.spec_folder import ASSIGNMENT, load, write_assignment

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
        words = [word for kind in kinds for word in (kind.name, *kind.formerly)]
        assert len(set(words)) == len(words)


@pytest.mark.parametrize(
    ("former", "present"),
    [
        ("late: {policy: falling-cap, percent_per_day: 5, days: 3}", "max_days_late"),
        ("late: {policy: percent-per-day, percent_per_day: 5, days: 3}", "max_days_late"),
        ("late: {policy: none, late_days: 3, most_late_days: 1}", "max_late_days"),
        ("rules: [{id: honest, title: Honest, rule: docstrings, zero: 'true'}]", "zero_mark"),
        ("rules: [{id: honest, title: Honest, rule: hard-coding}]", "hard-coded-output"),
        ("rules: [{id: main, title: Main, rule: main-used}]", "main-guard"),
        ("rules: [{id: names, title: Names, rule: naming}]", "naming-style"),
    ],
)
def test_former_words_are_read_with_a_note(former: str, present: str, tmp_path: Path) -> None:
    old = load(write_assignment(tmp_path / "old", f"{ASSIGNMENT}{former}\n"))
    (note,) = old.notes
    match = re.search(r"`([a-z_-]+)` is called `([a-z_-]+)` now", note.message)
    assert match is not None
    assert match[2] == present
    written_anew = re.sub(rf"\b{match[1]}\b(?!-)", present, former)
    new = load(write_assignment(tmp_path / "new", f"{ASSIGNMENT}{written_anew}\n"))
    assert new.notes == ()
    assert f"| `{match[1]}` | `{present}` |" in DOCUMENT
    assert (new.late, new.late_terms, new.rules) == (old.late, old.late_terms, old.rules)
