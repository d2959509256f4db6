"""Spec files with the words of earlier versions mean what they meant, and a note names each present word."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.api.author import SCHEMA_MODELS as MODELS
from grader.config.json_schema import json_schema
from grader.config.validation import validate
from grader.config.yaml_reader import read_document
from grader.model.assignment import Assignment
from grader.spec.load import load_assignment
from tests import ROOT
from tests.spec.spec_folder import ASSIGNMENT, write_assignment

WORDS = Path(__file__).parent / "words"
PROVIDED = "provided: [{file: cards.py}]\ncards: {module: cards.py}\n"
RULE = "rules: [{{id: code, title: Code, rule: {}}}]"
TESTS = "format: 1\nprogram: game.py\npart: play\npoints: 0\n"

# What the main file or a test said and says, and the words.
IN_ASSIGNMENT = [
    ("compare: {any_text: [a*]}", "compare: {wildcard_lines: [a*]}", "any_text", "wildcard_lines"),
    *(
        (f"compare: {{ignore: [{former}]}}", f"compare: {{ignore: [{present}]}}", former, present)
        for former, present in [
            ("trailing-blanks", "trailing-whitespace"),
            ("blank-runs", "space-change"),
            ("empty-lines", "blank-lines"),
        ]
    ),
    ("intake: {files: 3}", "submissions: {files: 3}", "intake", "submissions"),
    *(
        (f"submissions: {{names: {former}}}", f"submissions: {{names: {present}}}", former, present)
        for former, present in [("any-case", "ignore-case"), ("nearest", "closest-match")]
    ),
    ("submissions: {attempts: last-in-time}", "submissions: {attempts: last-on-time}", "last-in-time", "last-on-time"),
    (
        "late: {policy: falling-cap, percent_per_day: 1, days: 3}",
        "late: {policy: falling-cap, percent_per_day: 1, max_days_late: 3}",
        "days",
        "max_days_late",
    ),
    (
        "late: {policy: none, late_days: 3, most_late_days: 1}",
        "late: {policy: none, late_days: 3, max_late_days: 1}",
        "most_late_days",
        "max_late_days",
    ),
    *(
        (RULE.format(former), RULE.format(present), former, present)
        for former, present in [
            ("main-used", "main-guard"),
            ("naming", "naming-style"),
            ("hard-coding", "hard-coded-output"),
        ]
    ),
    (RULE.format("docstrings, zero: true"), RULE.format("docstrings, zero_mark: true"), "zero", "zero_mark"),
    ("isolation: prepared", "isolation: fork", "prepared", "fork"),
    ("isolation: process", "isolation: fresh-process", "process", "fresh-process"),
]
IN_TESTS = [
    ("call: f(a), given: {a: 1}", "call: f(a), variables: {a: 1}", "given", "variables"),
    ("prompt: [f()]", "repl: [f()]", "prompt", "repl"),
    ("input: [2], twin: one", "input: [2], hidden_twin_of: one", "twin", "hidden_twin_of"),
    ("input: [], compare: {any_text: [a]}", "input: [], compare: {wildcard_lines: [a]}", "any_text", "wildcard_lines"),
    *(
        (f"call: f(), checks: [{former}]", f"call: f(), checks: [{present}]", former, present)
        for former, present in [
            ("returned", "return_value"),
            ("printed", "output"),
            ("given", "mutated_variables"),
        ]
    ),
]


def assignment_with(folder: Path, main: str = "", test: str = "input: []") -> Assignment:
    references = folder.parent / "reference"
    references.mkdir(exist_ok=True)
    (references / "cards.py").write_text("")
    one = "tests:\n  - {id: one, visibility: public, points: 1, input: [1]}\n"
    tests = f"{TESTS}{one}  - {{id: two, {test}}}\n"
    return load_assignment(write_assignment(folder, f"{ASSIGNMENT}{PROVIDED}{main}\n", play=tests), references)


@pytest.mark.parametrize(("former", "present", "word", "name"), IN_ASSIGNMENT)
def test_a_former_word_in_assignment_yaml(former: str, present: str, word: str, name: str, tmp_path: Path) -> None:
    old, new = assignment_with(tmp_path / "old", main=former), assignment_with(tmp_path / "new", main=present)
    assert [note.message.removeprefix("the key ") for note in old.notes] == [f"`{word}` is called `{name}` now"]
    assert old.notes[0].place.file == old.folder / "assignment.yaml"
    assert not new.notes
    assert replace(old, folder=new.folder, notes=()) == new


@pytest.mark.parametrize(("former", "present", "word", "name"), IN_TESTS)
def test_a_former_word_in_a_tests_file(former: str, present: str, word: str, name: str, tmp_path: Path) -> None:
    old, new = assignment_with(tmp_path / "old", test=former), assignment_with(tmp_path / "new", test=present)
    assert [note.message.removeprefix("the key ") for note in old.notes] == [f"`{word}` is called `{name}` now"]
    assert (old.notes[0].place.file.name, old.notes[0].place.line) == ("play.yaml", 7)
    assert not new.notes
    assert old.tests == new.tests


def test_the_document_lists_every_former_word() -> None:
    document = (ROOT / "docs" / "spec-format.md").read_text()
    for _, _, word, name in IN_ASSIGNMENT + IN_TESTS:
        assert f"| `{word}` | `{name}` |" in document


def test_schemas_have_the_present_words_alone() -> None:
    schemas = "".join(json_schema(model) for model in MODELS.values())
    for _, _, word, name in IN_ASSIGNMENT + IN_TESTS:
        assert f'"{name}"' in schemas
        assert f'"{word}"' not in schemas


@pytest.mark.parametrize("kind", ["assignment", "tests"])
def test_files_of_the_first_version_mean_what_they_meant(kind: str) -> None:
    """`former` has every key of a file as it was called first, `present` as it is called now."""
    former, present = (
        validate(read_document(WORDS / words / f"{kind}.yaml"), MODELS[kind]) for words in ("former", "present")
    )
    assert former.content == present.content
    assert former.notes
    assert not present.notes
