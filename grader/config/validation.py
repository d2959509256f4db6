"""Checks the documents of YAML and CSV files against pydantic models, and explains errors in plain words."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from grader.config.scalars import FORMAT
from grader.config.type_hints import fields_of, hints_for_word, hints_inside
from grader.config.yaml_reader import KeyPath, YamlDocument
from grader.errors import Problem, SpecError, nearest, quoted, unexpected

_MEANT = {"rows": "for", "ignore_case": "ignore: [case]"}
"""Replacements for keys from other programs."""
_EXPECTED = {
    "decimal_parsing": "a number such as 3.5",
    "decimal_type": "a number such as 3.5",
    "int_parsing": "a whole number",
    "int_parsing_size": "a smaller whole number",
    "int_type": "a whole number",
    "float_parsing": "a number",
    "float_type": "a number",
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "string_type": "a text",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a mapping (key: value)",
    "model_type": "a mapping (key: value)",
    "model_attributes_type": "a mapping (key: value)",
    "finite_number": "a finite number",
    "greater_than": "more than {gt:g}",
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
    "decimal_max_places": "at most {decimal_places} decimal places",
}

DISTINCT = AfterValidator(lambda items: _distinct(items))
"""Rejects a tuple with a repeated item."""

AT_LEAST_ONE = AfterValidator(lambda items: _require_item(items))
"""Rejects an empty tuple. (pydantic's `min_length` would also complain about a list whose only item is faulty.)"""


class SpecModel(BaseModel):
    """The base class of all models read from YAML: unknown keys are errors, and instances are immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=False)


Model = TypeVar("Model", bound=SpecModel)
Item = TypeVar("Item")


def listed(keys: Iterable[str]) -> str:
    """Return keys as they appear in messages."""
    return ", ".join(f"`{key}`" for key in sorted(keys)) or "no such key"


def _require_item(items: tuple[Item, ...]) -> tuple[Item, ...]:
    if not items:
        raise unexpected(items, "at least one item")
    return items


def _distinct(items: tuple[Item, ...]) -> tuple[Item, ...]:
    for index, item in enumerate(items):
        if item in items[:index]:
            raise ValueError(f"{quoted(str(item))} is given twice")
    return items


@dataclass(frozen=True)
class Validated(Generic[Model]):
    """A document and its content as an instance of a model."""

    content: Model
    document: YamlDocument


def validate(document: YamlDocument, model: type[Model]) -> Validated[Model]:
    """Return the content of `document` as an instance of `model`.

    Raises SpecError with all the problems.
    """
    if newer := _newer_format(document):
        raise SpecError([newer])
    try:
        return Validated(model.model_validate(document.data), document)
    except ValidationError as error:
        raise SpecError(_problem(document, model, details) for details in error.errors()) from None


def _newer_format(document: YamlDocument) -> Problem | None:
    """Return a problem if the file needs a newer version of the program; nothing else is then checked."""
    number = document.data.get("format") if isinstance(document.data, dict) else None
    if not isinstance(number, str) or not number.isdecimal() or int(number) <= FORMAT:
        return None
    return Problem(
        document.place(("format",)),
        f"format {number} is newer than this grader, which reads format {FORMAT}; upgrade it",
    )


def _problem(document: YamlDocument, model: type[SpecModel], details: ErrorDetails) -> Problem:
    steps = _steps_in(document, details["loc"])
    kind = details["type"]
    if kind == "extra_forbidden":
        key = str(steps[-1])
        known_keys = tuple(_known_keys(model, details["loc"][:-1]))
        meant = _MEANT.get(key, "")
        is_meant = meant.partition(":")[0] in known_keys
        hint = f"; did you mean {quoted(meant)}?" if is_meant else nearest(key, known_keys)
        message = f"unknown key {quoted(key)}{hint}"
        return Problem(document.key_place(steps), message)
    if kind == "union_tag_not_found":
        return Problem(document.place(steps), f"the key {_word_key(details)} is missing here")
    if kind == "union_tag_invalid":
        steps = (*steps, _word_key(details).strip("`"))
        expected = details["ctx"]["expected_tags"].replace("'", "`")
        return Problem(document.place(steps), str(unexpected(details["ctx"]["tag"], f"one of {expected}")))
    if kind == "missing":
        return Problem(document.place(steps[:-1]), f"the key `{steps[-1]}` is missing here")
    if kind == "value_error":
        return Problem(document.place(steps), str(details["ctx"]["error"]))
    if kind in _EXPECTED:
        expected = _EXPECTED[kind].format_map(details.get("ctx", {}))
    else:
        expected = details["msg"].removeprefix("Input should be ").replace("'", "`")
    return Problem(document.place(steps), str(unexpected(details["input"], expected)))


def _steps_in(document: YamlDocument, location: KeyPath) -> KeyPath:
    """Convert pydantic's `location` to a path in the document, leaving out the tags of union members."""
    steps: KeyPath = ()
    for step in location[:-1]:
        steps = (*steps, step) if (*steps, step) in document.values else steps
    return (*steps, *location[-1:])


def _word_key(details: ErrorDetails) -> str:
    """Return, in backticks, the key whose value selects a model from a union."""
    key: str = details["ctx"]["discriminator"]
    return key.replace("'", "`")


def _known_keys(model: type[BaseModel], steps: KeyPath) -> list[str]:
    """Return the keys allowed in the mapping at `steps`."""
    hints: tuple[Any, ...] = (model,)
    for step in steps:
        hints = hints_for_word(hints, step) or hints_inside(hints, step)
    return [key for hint in hints for key in fields_of(hint)]
