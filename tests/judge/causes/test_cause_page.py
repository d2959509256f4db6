"""The document explains every cause that there is, with sentences that the grader really says."""

import re

from grader.judge.causes.diagnose import all_causes
from grader.model.judgement import NoteKind
from grader.plugins.function_calls.causes import GIVEN, RETURNED
from grader.spec.tests_file import entries_of_plugins
from tests import ROOT
from tests.judge.causes.finders import FINDERS
from tests.judge.causes.test_diagnose import FAILURES

DOCUMENT = (ROOT / "docs" / "reference" / "causes.md").read_text(encoding="utf-8")
OF_PLUGINS = tuple(cause for entry in entries_of_plugins() for cause in entry.causes)
ENTRY = re.compile(r"^### `(?P<cause>[^`\n]+)`\n\n(?P<meaning>.+)\n\n> (?P<example>.+)\n\n(?P<advice>.+)\n", re.M)


def test_every_cause_is_explained_once_and_nothing_else() -> None:
    headings = re.findall(r"^### (.*)$", DOCUMENT, re.M)
    assert sorted(headings) == sorted(f"`{cause.id}`" for cause in (*all_causes(), *OF_PLUGINS))
    assert len(list(ENTRY.finditer(DOCUMENT))) == len(headings)


def test_every_example_is_what_the_grader_says() -> None:
    said = {(failure.cause, failure.sentence) for failure in FAILURES}
    examples = {(entry["cause"], entry["example"]) for entry in ENTRY.finditer(DOCUMENT)}
    of_core = {cause.id for finder in FINDERS for cause in finder.causes}
    assert not {cause for cause, _ in examples - said} & of_core


def test_the_examples_of_function_tests_are_what_the_grader_says() -> None:
    source = (ROOT / "tests" / "run" / "test_function_call.py").read_text(encoding="utf-8")
    examples = {entry["cause"]: entry["example"] for entry in ENTRY.finditer(DOCUMENT)}
    for cause in (RETURNED, GIVEN):
        assert f'"{examples[cause.id]}"' in source


def test_every_kind_of_note_is_explained() -> None:
    _, _, section = DOCUMENT.partition("## What is ignored\n")
    assert re.findall(r"^\| `([a-z-]+)` \|", section, re.M) == list(NoteKind)
