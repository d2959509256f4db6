"""Checks a YAML document against a pydantic model and words what is wrong for people."""

from collections.abc import Iterable, Iterator
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from grader.config.yaml_reader import KeyPath, YamlDocument
from grader.errors import Problem, SpecError, nearest, quoted, unexpected


class SpecModel(BaseModel):
    """Base of everything that is read from YAML: unknown keys are errors, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=False)


Model = TypeVar("Model", bound=SpecModel)


Item = TypeVar("Item")


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


def listed(keys: Iterable[str]) -> str:
    """Keys as a message names them."""
    return ", ".join(f"`{key}`" for key in sorted(keys)) or "no such key"


def _some(items: tuple[Item, ...]) -> tuple[Item, ...]:
    if not items:
        raise unexpected(items, "at least one item")
    return items


AT_LEAST_ONE = AfterValidator(_some)
"""Forbids an empty tuple. (pydantic's `min_length` would also complain about a list whose only item is faulty.)"""


def validate(document: YamlDocument, model: type[Model]) -> Model:
    """The content of `document` as `model`. Raises SpecError with every problem found."""
    try:
        return model.model_validate(document.data)
    except ValidationError as error:
        raise SpecError(_problem(document, model, details) for details in error.errors()) from None


def _problem(document: YamlDocument, model: type[SpecModel], details: ErrorDetails) -> Problem:
    steps: KeyPath = details["loc"]
    kind = details["type"]
    if kind == "extra_forbidden":
        key = str(steps[-1])
        message = f"unknown key {quoted(key)}{nearest(key, _known_keys(model, steps[:-1]))}"
        return Problem(document.key_place(steps), message)
    if kind == "missing":
        return Problem(document.place(steps[:-1]), f"the key `{steps[-1]}` is missing here")
    if kind == "value_error":
        return Problem(document.place(steps), str(details["ctx"]["error"]))
    if kind in _EXPECTED:
        expected = _EXPECTED[kind].format_map(details.get("ctx", {}))
    else:
        expected = details["msg"].removeprefix("Input should be ").replace("'", "`")
    return Problem(document.place(steps), str(unexpected(details["input"], expected)))


def _known_keys(model: type[BaseModel], steps: KeyPath) -> list[str]:
    """The keys allowed in the mapping that `steps` lead to."""
    types: list[Any] = [model]
    for step in steps:
        types = [inner for outer in types for inner in _inside(outer, step)]
    return [
        info.alias or name
        for found in types
        if isinstance(found, type) and issubclass(found, BaseModel)
        for name, info in found.model_fields.items()
    ]


def _inside(outer: Any, step: str | int) -> Iterator[Any]:
    if isinstance(outer, type) and issubclass(outer, BaseModel):
        for name, info in outer.model_fields.items():
            if (info.alias or name) == step:
                yield from _alternatives(info.annotation)
    else:
        for argument in get_args(outer):
            yield from _alternatives(argument)


def _alternatives(annotation: Any) -> Iterator[Any]:
    if get_origin(annotation) in (Union, UnionType):
        for argument in get_args(annotation):
            yield from _alternatives(argument)
    elif get_origin(annotation) is Annotated:
        yield get_args(annotation)[0]
    else:
        yield annotation
