"""Pages of YAML files: every key is in a table and in an example that can be read, and is explained."""

import re
from pathlib import Path

from grader.config.validation import SpecModel, validate
from grader.config.yaml_reader import read_document
from grader.plugins.explaining.api import WordKind, explain
from grader.plugins.schemas.api import schema, schema_file
from grader.plugins.schemas.json_schema import json_schema
from grader.spec.assignment_file import AssignmentFile
from tests import ROOT
from tests.plugins.schemas.test_schema import SHIPPED, seen_by_editors, validator
from tools.document_steps import BLOCK

PAGES = ROOT / "docs" / "reference" / "files"


def keys(model: type[SpecModel]) -> set[str]:
    """Every key that may stand in a file of this model; what assignment.yaml has too is explained there."""
    schema = model.model_json_schema(by_alias=True)
    explained = () if model is AssignmentFile else AssignmentFile.model_json_schema(by_alias=True)["$defs"]
    inner = [found for name, found in schema.get("$defs", {}).items() if name not in explained]
    return {key for found in (schema, *inner) for key in found.get("properties", ())}


def check_page(kind: str, model: type[SpecModel], folder: Path) -> None:
    """Check the page about the file that `model` describes: its examples can be read, and it has every key."""
    page = (PAGES / f"{kind}.md").read_text()
    examples = [block["body"] for block in BLOCK.finditer(page) if block["info"] == "yaml"]
    smallest, whole = examples[0], examples[-1]
    for example in (smallest, whole):
        file = folder / "example.yaml"
        file.write_text(example)
        validate(read_document(file), model)
        assert not [error.message for error in validator(kind).iter_errors(seen_by_editors(example))]
    assert len(smallest) <= len(whole)
    for key in keys(model):
        assert re.search(rf"^\| `([a-z_.]+(\[\]|\.NAME)?\.)*{key}` \|", page, re.M), key
        assert re.search(rf"\b{key}:", whole), key


def check_plugin_file(_document: Path, kind: str, model: type[SpecModel], folder: Path) -> None:
    """Check the file that a plugin reads: its page, its schema, and that its keys are explained."""
    check_page(kind, model, folder)
    assert schema(kind) == json_schema(model)
    assert (SHIPPED / schema_file(kind)).read_text() == json_schema(model), "grader schema --output grader/spec/schemas"
    for key in model.model_fields:
        assert any(one.kind is WordKind.KEY and one.place.startswith(f"{kind}.yaml") for one in explain(key)), key
