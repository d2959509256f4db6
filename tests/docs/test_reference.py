"""docs/reference: fresh, complete, described, with examples that can be read and links that lead somewhere."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.cli.main import app
from grader.config.csv_table import read_rows
from grader.config.validation import validate
from grader.config.yaml_reader import read_document
from grader.extensions import SCHEMAS, extensions
from grader.plugins.schemas.api import SCHEMA_MODELS
from grader.spec.tests_file import TestsFile
from tests import ROOT
from tests.docs.file_keys import check_page
from tests.docs.running import copy_parts, run_document
from tests.sandbox import needs_sandbox
from tools.document_steps import BLOCK
from tools.reference.__main__ import FOLDER, pages, stale
from tools.reference.files import FILES, model_schema

MODELS = {**SCHEMA_MODELS, **{name: item.load(type) for name, item in extensions(SCHEMAS).items() if item.is_own}}
PAGES = sorted(FOLDER.rglob("*.md"))
EXAMPLES = """
import doctest, re, sys
text = "".join(re.findall(r"^```pycon\\n(.*?)^```$", open(sys.argv[1]).read(), re.M | re.S))
examples = doctest.DocTestParser().get_doctest(text, {}, sys.argv[1], None, 0)
failed, tried = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples)
print(tried, "examples")
sys.exit(failed)
"""


def test_the_generated_pages_are_fresh() -> None:
    assert stale(pages()) == [], "python -m tools.reference"


def test_a_page_that_differs_is_missing_or_is_too_many_is_named() -> None:
    made = dict(pages())
    changed = {**made, "causes.md": "", "files/new.yaml.md": ""}
    del changed["files/fuzz.md"]
    assert stale(changed) == ["causes.md", "files/fuzz.md", "files/new.yaml.md"]


def test_every_file_and_command_has_a_page() -> None:
    assert {file.kind for file in FILES} == {*MODELS}
    commands = app.list_commands(None)  # type: ignore[arg-type]
    assert {page.stem for page in (FOLDER / "commands").glob("*.md")} == {*commands}


@pytest.mark.parametrize("kind", MODELS)
def test_every_key_is_on_the_page_and_in_an_example(kind: str, tmp_path: Path) -> None:
    check_page(kind, MODELS[kind], tmp_path)


@pytest.mark.parametrize("kind", MODELS)
def test_every_key_is_described(kind: str) -> None:
    schema = model_schema(kind)
    bare = [key for key, value in properties(schema) if not value.get("description")]
    assert bare == []


def properties(schema: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The keys of a schema and of the mappings in it; the key that tells models of plugins apart has one value."""
    mappings = [schema, *schema.get("$defs", {}).values()]
    return [
        (key, value)
        for mapping in mappings
        for key, value in mapping.get("properties", {}).items()
        if len(value.get("enum", "..")) > 1 and "const" not in value
    ]


@pytest.mark.parametrize("file", sorted((ROOT / "tools" / "reference" / "examples").glob("*.csv")), ids=str)
def test_tables_have_the_columns_of_the_file(file: Path) -> None:
    (_, head), *rows = read_rows(file)
    page = (FOLDER / "files" / f"{file.stem}.md").read_text()
    items = {"marks": {"names", "main", "honest"}, "teams": {"student"}}.get(file.stem, set())
    documented = set(re.findall(r"^\| `[^`]*?(\w+)` \|", page, re.M))
    assert {*head} - items <= documented
    assert all(len(row) == len(head) for _, row in rows)


@pytest.mark.parametrize("page", ["points.md", "function-tests.md"])
def test_the_tests_on_a_page_can_be_read(page: str, tmp_path: Path) -> None:
    examples = [block["body"] for block in BLOCK.finditer((FOLDER / page).read_text()) if block["info"] == "yaml"]
    assert len(examples) > 5
    for example in examples:
        file = tmp_path / "tests.yaml"
        file.write_text(f"format: 1\nprogram: game.py\npart: play\n{example}")
        validate(read_document(file), TestsFile)


@needs_sandbox
@pytest.mark.slow
def test_the_examples_of_the_interface_in_python(tmp_path: Path) -> None:
    copy_parts(tmp_path, "reference", "test_specs/cse231-lab10a", "submissions/cse231-lab10a")
    command = [sys.executable, "-c", EXAMPLES, str(FOLDER / "python.md")]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert int(run.stdout.split()[0]) > 20


@pytest.mark.slow
def test_the_command_line(tmp_path: Path) -> None:
    assert len(run_document(FOLDER / "command-line.md", tmp_path)) == 11


@pytest.mark.slow
def test_the_games_for_the_checker_accordion_are_made(tmp_path: Path) -> None:
    lines = (FOLDER / "checker-protocol.md").read_text().splitlines()
    commands = [line.split()[1:] for line in lines if line.startswith("python ")]
    assert len(commands) == 2
    for command in commands:
        script = [sys.executable, str(ROOT / command[0]), *command[1:]]
        assert subprocess.run(script, cwd=tmp_path, capture_output=True, text=True, check=True).stdout


def test_the_result_keys_are_documented() -> None:
    documented = (FOLDER / "results.md").read_text()
    source = (ROOT / "grader" / "reports" / "results_json.py").read_text()
    for key in re.findall(r'^        "([a-z_]+)":', source, re.M):
        assert re.search(rf"[`.]{key}`", documented), key
