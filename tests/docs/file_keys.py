"""Documents of YAML files: every key is in a table and in an example that can be read, and is explained."""

import re
from pathlib import Path

from grader.plugins.schemas.api import schema, schema_file
from grader.plugins.schemas.json_schema import json_schema
from grader.config.validation import SpecModel, validate
from grader.config.yaml_reader import read_document
from grader.plugins.explaining.api import WordKind, explain
from grader.spec.assignment_file import AssignmentFile
from tests.plugins.schemas.test_schema import SHIPPED, seen_by_editors, validator
from tools.document_steps import BLOCK


def keys(model: type[SpecModel]) -> set[str]:
    """Every key that may stand in a file of this model; what assignment.yaml has too is explained there."""
    schema = model.model_json_schema(by_alias=True)
    explained = () if model is AssignmentFile else AssignmentFile.model_json_schema(by_alias=True)["$defs"]
    inner = [found for name, found in schema["$defs"].items() if name not in explained]
    return {key for found in (schema, *inner) for key in found.get("properties", ())}


def check_keys(document: Path, heading: str, model: type[SpecModel], folder: Path) -> None:
    """Check the section of a document about the file that `model` describes."""
    _, _, section = document.read_text().partition(f"## {heading}\n")
    section, _, _ = section.partition("\n## ")
    example = BLOCK.search(section)
    assert example is not None
    assert example["info"] == "yaml"
    file = folder / "example.yaml"
    file.write_text(example["body"])
    validate(read_document(file), model)
    for key in keys(model):
        assert re.search(rf"^\| `([a-z_]+(\[\])?\.)?{key}` \|", section, re.M), key
        assert re.search(rf"\b{key}:", example["body"]), key


def check_plugin_file(document: Path, kind: str, model: type[SpecModel], folder: Path) -> None:
    """Check the file that a plugin reads: its section in a document, its schema, and that its keys are explained."""
    check_keys(document, f"{kind}.yaml", model, folder)
    assert schema(kind) == json_schema(model)
    assert (SHIPPED / schema_file(kind)).read_text() == json_schema(model), "grader schema --output grader/spec/schemas"
    example = seen_by_editors((folder / "example.yaml").read_text())
    assert not [error.message for error in validator(kind).iter_errors(example)]
    for key in model.model_fields:
        assert any(one.kind is WordKind.KEY and one.place == f"{kind}.yaml" for one in explain(key)), key
