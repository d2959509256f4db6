"""The document explains every cause that there is, with sentences that the grader really says."""

import re

from grader.judge.causes.cause import Cause

from grader.model.judgement import NoteKind
from tests import ROOT
from tests.judge.causes.test_diagnose import FAILURES, NOT_OF_SESSIONS

DOCUMENT = (ROOT / "docs" / "diagnoses.md").read_text(encoding="utf-8")
ENTRY = re.compile(r"^### `(?P<cause>[^`\n]+)`\n\n(?P<meaning>.+)\n\n> (?P<example>.+)\n\n(?P<advice>.+)\n", re.M)


def test_every_cause_is_explained_once_and_nothing_else() -> None:
    headings = re.findall(r"^### (.*)$", DOCUMENT, re.M)
    assert headings == [f"`{cause}`" for cause in Cause]
    assert [entry["cause"] for entry in ENTRY.finditer(DOCUMENT)] == list(Cause)


def test_every_example_is_what_the_grader_says() -> None:
    said = {(failure.cause, failure.sentence) for failure in FAILURES}
    examples = {(entry["cause"], entry["example"]) for entry in ENTRY.finditer(DOCUMENT)}
    assert {cause for cause, _ in examples - said} == NOT_OF_SESSIONS


def test_the_examples_of_function_tests_are_what_the_grader_says() -> None:
    source = (ROOT / "tests" / "run" / "test_function_call.py").read_text(encoding="utf-8")
    examples = {entry["cause"]: entry["example"] for entry in ENTRY.finditer(DOCUMENT)}
    for cause in (Cause.RETURNED, Cause.GIVEN):
        assert f'"{examples[cause]}"' in source


def test_every_kind_of_note_is_explained() -> None:
    _, _, section = DOCUMENT.partition("## What is let pass\n")
    assert re.findall(r"^\| `([a-z-]+)` \|", section, re.M) == list(NoteKind)
