"""JSON Schemas for editors: they fit the models and all files that we ship, and find what is wrong in others."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator

from grader.cli.main import app
from grader.config.validation import validate
from grader.config.yaml_reader import read_document
from grader.errors import SpecError
from grader.plugins.schemas.api import SCHEMA_MODELS as MODELS
from grader.plugins.schemas.api import SchemaError, schema, schema_file, write_schemas
from grader.plugins.schemas.json_schema import json_schema
from tests import ROOT

SHIPPED = ROOT / "grader" / "spec" / "schemas"
FILES = [
    file
    for pattern in ("test_specs/**/*.yaml", "submissions/*/*.yaml", "submissions/**/submission.yaml")
    for file in sorted(ROOT.glob(pattern))
]
FIRST_LINE = re.compile(r"# yaml-language-server: \$schema=(\S+)\n")


class EditorsLoader(yaml.SafeLoader):
    """Values as an editor sees them, by the core schema of YAML 1.2: no times, and only true and false are booleans."""


EditorsLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in found if not tag.endswith((":timestamp", ":bool"))]
    for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
EditorsLoader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("true|false"), list("tf"))


def seen_by_editors(text: str) -> Any:
    return yaml.load(text, EditorsLoader)


def validator(kind: str) -> Draft7Validator:
    return Draft7Validator(json.loads((SHIPPED / schema_file(kind)).read_text()))


@pytest.mark.parametrize("kind", MODELS)
def test_the_shipped_schemas_are_fresh(kind: str) -> None:
    text = (SHIPPED / schema_file(kind)).read_text()
    assert text == json_schema(MODELS[kind]), "grader schema --output grader/spec/schemas"
    Draft7Validator.check_schema(json.loads(text))


def test_there_are_files_of_nearly_every_kind() -> None:
    assert len(FILES) > 100
    assert {FIRST_LINE.match(file.read_text())[1].split("/")[-1] for file in FILES} >= {  # type: ignore[index]
        schema_file(kind)
        for kind in MODELS
        if kind not in ("comments", "extensions", "overrides", "requests", "roster")
    }


def test_every_file_that_we_ship_names_its_schema_and_fits_it() -> None:
    for file in FILES:
        text = file.read_text()
        named = FIRST_LINE.match(text)
        assert named, file
        schema = (file.parent / named[1]).resolve()
        assert schema.parent == SHIPPED, file
        problems = [
            error.message
            for error in Draft7Validator(json.loads(schema.read_text())).iter_errors(seen_by_editors(text))
        ]
        assert not problems, file


TESTS = """\
format: 1
program: game.py
part: play
points: 1
tests:
  - {id: one, input: [1, 01, +1, no, true, 1--773, 2025-10-27]}
"""

ASSIGNMENT = """\
format: 1
id: demo
title: 2025
programs: [{file: game.py}]
parts: [{id: play, title: Playing, marks: 1}]
due: 2025-10-27 11:59
time_zone: Australia/Sydney
"""


@pytest.mark.parametrize(
    ("kind", "right", "old", "new"),
    [
        ("tests", TESTS, "part:", "parts:"),
        ("tests", TESTS, "part: play\n", ""),
        ("tests", TESTS, "format: 1", "format: 2"),
        ("tests", TESTS, "points: 1", "points: two"),
        ("tests", TESTS, "points: 1", "points: -1"),
        ("tests", TESTS, "points: 1", "visibility: secret"),
        ("tests", TESTS, "id: one", "id: one/two"),
        ("tests", TESTS, "id: one", "id: one, exit_status: 300"),
        ("tests", TESTS, "id: one", "id: one, sealed: perhaps"),
        ("tests", TESTS, "id: one", "id: one, compare: {ignore: [everything]}"),
        ("tests", TESTS, "id: one", "id: one, compare: {ignore_characters: [x]}"),
        ("tests", TESTS, "id: one", "id: one, for: {n: {a: b}}"),
        ("tests", TESTS, "input: [", "input: [{a: b}, "),
        ("assignment", ASSIGNMENT, "due: 2025-10-27 11:59", "due: tomorrow"),
        ("assignment", ASSIGNMENT, "marks: 1", "marks: 0"),
        ("assignment", ASSIGNMENT, "file: game.py", "file: games/game.py"),
        ("assignment", ASSIGNMENT, "time_zone", "limits: {wall_seconds: 0}\ntime_zone"),
        ("submission", "submitted: 2025-10-27 11:30\n", "2025-10-27 11:30", "yesterday"),
    ],
)
def test_what_is_faulty_is_faulty_for_editors_too(kind: str, right: str, old: str, new: str, tmp_path: Path) -> None:
    file = tmp_path / "file.yaml"
    file.write_text(right)
    validate(read_document(file), MODELS[kind])
    assert validator(kind).is_valid(seen_by_editors(right))
    assert old in right
    file.write_text(right.replace(old, new))
    with pytest.raises(SpecError):
        validate(read_document(file), MODELS[kind])
    assert not validator(kind).is_valid(seen_by_editors(right.replace(old, new)))


@pytest.mark.slow
def test_the_command_prints_one_and_writes_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    app(["schema", "tests"], standalone_mode=False)
    assert capsys.readouterr().out == json_schema(MODELS["tests"])
    app(["schema", "--output", str(tmp_path / "new" / "schemas")], standalone_mode=False)
    assert capsys.readouterr().out.endswith("# yaml-language-server: $schema=../../../schemas/tests.schema.json\n")
    assert {file.name for file in (tmp_path / "new" / "schemas").iterdir()} >= {schema_file(kind) for kind in MODELS}


def test_what_cannot_be_done_is_said(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match="expected one of: assignment, tests, extensions, marks"):
        schema("verdicts")
    (tmp_path / "file").touch()
    with pytest.raises(SchemaError, match="cannot be written"):
        write_schemas(tmp_path / "file")
