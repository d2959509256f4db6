"""`grader explain`: what the documents say of a word."""

import ast
import re

import pytest

from grader.extensions import RULES, extensions
from grader.judge.causes.diagnose import GIVEN_ELSEWHERE
from grader.model.judgement import Verdict
from grader.plugins.explaining.api import ExplainError, WordKind, explain, explanations
from grader.plugins.schemas.api import SCHEMA_MODELS
from grader.reports.results_csv import results_csv
from tests import ROOT
from tests.conftest import Grader, SmallCourse
from tests.prepared_grader import PreparedGrader
from tests.reports.graded_example import CLASS


def words(kind: WordKind) -> set[str]:
    return {one.word for one in explanations() if one.kind is kind}


def test_every_rule_is_explained() -> None:
    assert words(WordKind.RULE) == {*extensions(RULES)}


def test_every_cause_is_explained() -> None:
    assert {cause.id for cause in GIVEN_ELSEWHERE} <= words(WordKind.CAUSE)
    for cause in GIVEN_ELSEWHERE:
        assert cause.id in {explanation.word for explanation in explain(cause.id)}


@pytest.mark.parametrize("kind", SCHEMA_MODELS)
def test_every_key_is_explained(kind: str) -> None:
    for model_key in SCHEMA_MODELS[kind].model_fields:
        found = [one for one in explain(model_key.rstrip("_")) if one.kind is WordKind.KEY]
        assert any(re.match(rf"({kind}\.yaml|{kind}/)", one.place) for one in found), model_key


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("late.policy", ["late.policy"]),
        ("LATE.Policy", ["late.policy"]),
        ("programs.file", ["programs[].file"]),
        ("programs[].file", ["programs[].file"]),
        ("rounding", ["rounding", "rounding", "rounding.places", "rounding.mode"]),
        ("case", ["case", "case"]),
        ("closest-match", ["submissions.names"]),
        ("roster.csv", ["roster.yaml, roster.csv", "format", "students", *(f"students[].{key}" for key in (
            "name", "id", "email", "login", "moodle", "canvas", "section", "columns"))]),
    ],
)  # fmt: skip
def test_names_of_words(word: str, found: list[str]) -> None:
    assert [one.word for one in explain(word)] == found


def test_a_cause_is_printed_with_its_example(grader: Grader) -> None:
    run = grader("explain", "blank-line")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("blank-line (cause of failure):")
    assert "A blank line is missing at line 3; all else is right." in run.stdout
    assert "missing-newline" not in run.stdout


def test_links_are_words_only(grader: Grader) -> None:
    run = grader("explain", "max_mark")
    assert "if bonus points can exceed the full mark. (number, " in " ".join(run.stdout.split())


def test_without_a_word_eight_lines_say_what_there_is(grader: Grader) -> None:
    assert len(grader("explain").stdout.splitlines()) == 8


@pytest.mark.parametrize(
    ("kinds", "kind"),
    [
        ("verdicts", WordKind.VERDICT),
        ("causes", WordKind.CAUSE),
        ("difference", WordKind.ACCEPTED),
        ("columns", WordKind.COLUMN),
        ("rules", WordKind.RULE),
        ("files", WordKind.FILE),
        ("keys", WordKind.KEY),
    ],
)
def test_all_words_of_a_kind_are_listed(kinds: str, kind: WordKind, grader: Grader) -> None:
    listed = " ".join(grader("explain", kinds).stdout.split())
    assert listed.startswith(str(kind))
    for word in words(kind):
        assert word.strip("`") in listed


def test_every_verdict_and_column_is_explained() -> None:
    assert {str(verdict) for verdict in Verdict} == words(WordKind.VERDICT)
    (header, *_) = results_csv(CLASS).splitlines()
    of_the_class = {part.id for part in CLASS.assignment.parts}
    documented = {name.strip() for word in words(WordKind.COLUMN) for name in word.replace("`", "").split(",")}
    assert {name for name in header.split(",") if not name.startswith("roster_")} - of_the_class <= documented


@pytest.mark.parametrize(
    ("word", "beginning"),
    [
        ("check", "Usage: "),
        ("wrong-output", "wrong-output (verdict):"),
        ("email", "name, id, email, login, moodle, canvas (column of a report):"),
        ("sandbox", "sandbox (topic):"),
        ("exit codes", "Exit codes (topic):"),
    ],
)
def test_verdicts_columns_commands_and_topics(word: str, beginning: str, grader: Grader) -> None:
    run = grader("explain", *word.split())
    assert (run.returncode, run.stderr) == (0, "")
    assert " ".join(run.stdout.split()).startswith(beginning)


@pytest.mark.parametrize(
    ("word", "beginning"),
    [
        ("variant", "variants (key in assignment.yaml): The accepted interpretations"),
        ("U+FE0F", r"U+FE0F (character): U+FE0F (variation selector-16); in Python: '\ufe0f'"),
        ("wordy", "wordy (variant): One of the accepted readings of the handout of doubles: canonical, wordy."),
    ],
)
def test_words_of_reports(word: str, beginning: str, prepared: PreparedGrader, small_course: SmallCourse) -> None:
    run = prepared.run("explain", word, folder=small_course.folder)
    assert (run.returncode, run.stderr) == (0, "")
    assert " ".join(run.stdout.split()).startswith(beginning)


def test_an_unknown_word_gets_the_closest(grader: Grader) -> None:
    run = grader("explain", "blank-lnie")
    assert run.returncode == 2
    assert run.stdout == ""
    assert run.stderr.startswith("The documents do not explain `blank-lnie`. The closest words are `blank-line`, ")
    with pytest.raises(ExplainError, match=r"`<{5}`\. `grader explain` says what there is"):
        explain("<<<<<")


NAMED = re.compile(r"`grader explain ([^`]+)`")
DOCUMENT = re.compile(r"docs/|\b[\w-]+\.md\b")


def literals(tree: ast.Module) -> list[str]:
    """The strings of a module that are no docstrings and stand in no place of one."""
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in alone]
    return [node.value for node in constants if isinstance(node.value, str)]


@pytest.mark.slow
def test_no_message_names_a_document_that_may_be_absent() -> None:
    found, explained = set(), set()
    for file in [*(ROOT / "grader").rglob("*.py"), *(ROOT / "grader").glob("*/templates/**/*.*")]:
        text = file.read_text(encoding="utf-8")
        for string in literals(ast.parse(text)) if file.suffix == ".py" else [text]:
            explained |= set(NAMED.findall(string))
            if DOCUMENT.search(string):
                found.add((file.relative_to(ROOT / "grader").as_posix(), DOCUMENT.findall(string)[0]))
    assert found == {
        ("plugins/explaining/api.py", "causes.md"),
        ("plugins/explaining/api.py", "results.md"),
        ("plugins/importing/course_draft.py", "IMPORT.md"),  # which an importer writes
        ("plugins/platforms/plain_files/__init__.py", "results.md"),  # for the table in the instructor's guide
        ("plugins/bundling/bundle.py", "README.md"),  # the bundle's own
        ("plugins/bundling/bundle.py", "docs/"),  # what it carries for its own `explain`
        ("plugins/bundling/explain.py", "causes.md"),
        ("plugins/bundling/explain.py", "results.md"),
    }
    assert explained
    for word in explained - {"WORD", "causes"}:
        assert explain(word)
