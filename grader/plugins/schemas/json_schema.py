"""Writes the models of YAML files as JSON Schemas for editors, which complete keys and mark errors during typing.

An editor sees the values of YAML 1.2, in which `167` is a number and `true` is a boolean. The grader takes every value
as written (see `yaml_reader`), so a schema also allows numbers and booleans wherever the grader expects text.
"""

import json
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from grader.config.scalars import FORMAT
from grader.config.validation import SpecModel
from grader.plugins.schemas.descriptions import descriptions

_DIALECT = "http://json-schema.org/draft-07/schema#"
_SCALAR = ["string", "number", "boolean", "null"]


class _Generator(GenerateJsonSchema):
    schema_dialect = _DIALECT

    def str_schema(self, schema: core_schema.StringSchema) -> JsonSchemaValue:
        return {**super().str_schema(schema), "type": _SCALAR}

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        number: JsonSchemaValue = super().decimal_schema(schema)["anyOf"][0]
        return number

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        """Return the schema of the value alone: a key may be omitted, but None cannot be written."""
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        result = super().default_schema(schema)
        return {key: value for key, value in result.items() if key != "default" or value is not None}

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """Add the description of each key, including keys that refer to a described model."""
        result = super().model_schema(schema)
        model = schema["cls"]
        options = getattr(model, "kind", None) or model
        for field, text in {**descriptions(model), **descriptions(options)}.items():
            if issubclass(model, SpecModel) and field in model.model_fields:
                result["properties"][model.model_fields[field].alias or field]["description"] = text
        return result

    def literal_schema(self, schema: core_schema.LiteralSchema) -> JsonSchemaValue:
        words = [word for word in schema["expected"] if isinstance(word, str)]
        return {"enum": [value for word in words for value in _as_editors_see(word)]}

    def tagged_union_schema(self, schema: core_schema.TaggedUnionSchema) -> JsonSchemaValue:
        """Return the schema of a union without the discriminator: each member has a different word for that key."""
        result = super().tagged_union_schema(schema)
        return {key: value for key, value in result.items() if key != "discriminator"}

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        """Return False, because titles would only repeat the keys."""
        return False


def _as_editors_see(word: str) -> list[object]:
    try:
        value = json.loads(word)
    except ValueError:
        return [word]
    return [value, word]


def schema_of(model: type[SpecModel]) -> dict[str, Any]:
    """Return the schema of the files that `model` describes; keys are in the order of the model."""
    schema = {"$schema": _DIALECT, **model.model_json_schema(by_alias=True, schema_generator=_Generator)}
    return {**schema, "title": f"{schema['title']}, format {FORMAT}"}


def json_schema(model: type[SpecModel]) -> str:
    """Return the schema of the files that `model` describes as the text of a JSON file."""
    return json.dumps(schema_of(model), indent=1, ensure_ascii=False, sort_keys=True) + "\n"
