"""Describes the possible values of a key in words, based on a JSON Schema."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

Schema: TypeAlias = Mapping[str, Any]


def resolved(schema: Schema, models: Mapping[str, Schema]) -> Schema:
    """Return the schema, or the schema that it refers to."""
    return models[reference_in(schema)] if "$ref" in schema else schema


def reference_in(schema: Schema) -> str:
    """Return the name of the model that a schema refers to; there must be one."""
    return str(schema["$ref"]).rpartition("/")[2]


def choices(schema: Schema) -> tuple[Schema, ...]:
    """Return the schemas of which one must fit: the members of a union, or the only schema."""
    return tuple(schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf") or [schema])


def models_in(schema: Schema, models: Mapping[str, Schema], path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the names of the models of mappings in a value, each with the path to it, such as `[]` in a list."""
    for choice in choices(schema):
        target = resolved(choice, models)
        if "$ref" in choice and "properties" in target:
            yield path, reference_in(choice)
        elif choice is not schema or "items" in target or "additionalProperties" in target:
            if isinstance(target.get("items"), dict):
                yield from models_in(target["items"], models, f"{path}[]")
            elif isinstance(target.get("additionalProperties"), dict):
                yield from models_in(target["additionalProperties"], models, f"{path}.NAME")
            elif choice is not schema:
                yield from models_in(target, models, path)


def type_words(schema: Schema, models: Mapping[str, Schema]) -> str:
    """Return the type of a value in words."""
    words = dict.fromkeys(_type_of(resolved(choice, models), models) for choice in choices(schema))
    return " or ".join(filter(None, words))


def _type_of(schema: Schema, models: Mapping[str, Schema]) -> str:
    if len(choices(schema)) > 1:
        return type_words(schema, models)
    if "enum" in schema:
        return ", ".join(dict.fromkeys(f"`{str(word).lower()}`" for word in schema["enum"] if isinstance(word, str)))
    if "const" in schema:
        return f"`{schema['const']}`"
    kind = schema.get("type")
    if "pattern" in schema and schema["pattern"].startswith(r"^\d{4}-"):
        return "date and time"
    if kind == "array":
        return f"list of {_plural(type_words(schema.get('items', {}), models))}"
    if kind == "object":
        inner = schema.get("additionalProperties")
        values = type_words(inner, models) if isinstance(inner, dict) else ""
        return "mapping" if "properties" in schema else f"{_plural(values or 'string')} by name"
    if isinstance(kind, list):
        return "string or list of strings" if "array" in kind else "number or string" if len(kind) == 2 else "string"
    names = {"integer": "whole number", "number": "number", "boolean": "`true`, `false`", "string": "string"}
    return f"{names.get(str(kind), 'any value')}{_bounds(schema)}"


def _plural(words: str) -> str:
    names = {"string": "strings", "mapping": "mappings", "number": "numbers"}
    return names.get(words, words.replace("whole number", "whole numbers", 1))


def _bounds(schema: Schema) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    above = schema.get("exclusiveMinimum")
    lower = f"more than {above:g}" if above is not None else "" if least is None else f"from {_number(least)}"
    upper = "" if most is None else f"{'at most' if least is None else 'to'} {_number(most)}"
    bounds = " ".join(filter(None, [lower, upper])) if least is not None else ", ".join(filter(None, [lower, upper]))
    return f", {bounds}" if bounds and (most is None or most < 1 << 50) else f", {lower}" if lower else ""


def _number(value: float) -> str:
    return f"{int(value) if value == int(value) else value:,}"


def default_words(schema: Schema, *, is_required: bool) -> str:
    """Return the default of a key in words."""
    if is_required:
        return "required"
    default = schema.get("default")
    if default in (None, [], {}, "") or isinstance(default, dict):
        return ""
    if isinstance(default, list):
        return f"`[{', '.join(map(str, default))}]`"
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"
