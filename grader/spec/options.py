"""YAML entries whose keys depend on one of their values, which selects the class that defines their options.

An entry such as `late` has a model for each class in a registry, with the keys common to all such entries and the
class's options. The options are the fields of a dataclass, with the constraints of `grader.model.option`.
"""

from collections.abc import Callable, Iterable
from dataclasses import MISSING, dataclass, fields
from decimal import Decimal
from functools import cache, partial, reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, ClassVar, Literal, TypeVar, get_args, get_origin, get_type_hints

from pydantic import AfterValidator, Field, create_model
from pydantic_core import PydanticKnownError, SchemaValidator, core_schema

from grader.config.scalars import ASCII_DIGITS, FileName
from grader.config.validation import AT_LEAST_ONE, DISTINCT, SpecModel
from grader.errors import unexpected
from grader.extensions import ExtensionError, extensions, find_extension
from grader.model.option import AtLeast, AtMost, MoreThan, ProvidedFile, Registered, ValidText

Kind = TypeVar("Kind")
# Few enough digits that sums and shares of marks remain exact in decimal arithmetic.
_DECIMAL = Annotated[Decimal, Field(decimal_places=4, allow_inf_nan=False)]


@dataclass(frozen=True, kw_only=True)
class PluginEntry:
    """An annotation for a plugin's entries: `base` and the options of the class selected by `key`.

    A plugin is imported when an entry selects it. `others` contains models for words that do not belong to plugins.
    """

    key: str
    base: type[SpecModel]
    group: str
    kind: type[Any]
    others: tuple[type[SpecModel], ...] = ()

    def model(self, word: str) -> type[SpecModel]:
        """Return the model for entries with this word. Raises ExtensionError, or KeyError if no plugin has the word."""
        return self._other_models().get(word) or _plugin_model(self, word)

    def validate(self, value: object) -> object:
        """Return the validated model of an entry, which must be a mapping with the name of a plugin."""
        if not isinstance(value, dict):
            raise PydanticKnownError("model_attributes_type")
        facts: dict[str, Any] = {"discriminator": f"'{self.key}'"}
        if self.key not in value:
            raise PydanticKnownError("union_tag_not_found", facts)
        word = str(value[self.key])
        try:
            return SchemaValidator(self._union([word])).validate_python(value)
        except KeyError:
            if not self._words():
                raise unexpected(
                    word, f"the name of a plugin of the group {self.group}, of which none is installed"
                ) from None
            installed = ", ".join(f"'{name}'" for name in self._words())
            raise PydanticKnownError("union_tag_invalid", {**facts, "tag": word, "expected_tags": installed}) from None
        except ExtensionError as error:
            raise ValueError(str(error)) from None

    def _union(self, words: Iterable[str]) -> core_schema.TaggedUnionSchema:
        return core_schema.tagged_union_schema(
            {word: self.model(word).__pydantic_core_schema__ for word in words}, discriminator=self.key
        )

    def __get_pydantic_core_schema__(self, source: object, handler: object) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(self.validate)

    def __get_pydantic_json_schema__(self, schema: object, handler: Callable[[core_schema.CoreSchema], Any]) -> Any:
        return handler(self._union(filter(self._is_usable, self._words())))

    def _words(self) -> list[str]:
        return [*extensions(self.group), *self._other_models()]

    def _other_models(self) -> dict[str, type[SpecModel]]:
        return {get_args(model.model_fields[self.key].annotation)[0]: model for model in self.others}

    def _is_usable(self, word: str) -> bool:
        try:
            self.model(word)
        except ExtensionError:
            return False
        return True


@dataclass(frozen=True)
class OrPluginEntry:
    """An annotation that allows a plugin's entry, with the key of `plugins`, instead of a model."""

    plugins: PluginEntry

    def validate(self, value: object, read: Callable[[object], object]) -> object:
        """Return the model of an entry."""
        is_of_plugin = isinstance(value, dict) and self.plugins.key in value
        return self.plugins.validate(value) if is_of_plugin else read(value)

    def __get_pydantic_core_schema__(self, source: object, handler: Callable[[object], Any]) -> core_schema.CoreSchema:
        return core_schema.no_info_wrap_validator_function(self.validate, handler(source))

    def __get_pydantic_json_schema__(self, schema: core_schema.CoreSchema, handler: Callable[[Any], Any]) -> Any:
        plain = handler(schema)
        if not extensions(self.plugins.group):
            return plain
        return {"anyOf": [plain, self.plugins.__get_pydantic_json_schema__(schema, handler)]}


@cache
def _plugin_model(entry: PluginEntry, word: str) -> type[SpecModel]:
    plugin = find_extension(entry.group, word)
    if plugin is None:
        raise KeyError(word)
    kind = plugin.load_dataclass(entry.kind)
    try:
        return _model(entry.key, entry.base, kind)
    except Exception as error:
        raise plugin.error(f"has options that cannot be read: {type(error).__name__}: {error}") from error


def with_options(kind: type[Kind], entry: SpecModel, fill: Callable[[str], str] = str) -> Kind:
    """Return a `kind` with the options of `entry`, filling in their strings."""
    return kind(**{name: _filled(value, fill) for name, value in options_of(kind, entry).items()})


def options_of(kind: type[Any], entry: SpecModel) -> dict[str, object]:
    """Map each option of `kind` to its value in `entry`."""
    return {name: getattr(entry, name) for name in _option_hints(kind)}


def _filled(value: object, fill: Callable[[str], str]) -> object:
    if isinstance(value, tuple):
        return tuple(_filled(item, fill) for item in value)
    return fill(value) if type(value) is str else value


def provided_files(kind: type[Any], entry: SpecModel) -> dict[str, str]:
    """Return the options of `kind` that must name a provided module, with their values in `entry`."""
    marked = (name for name, hint in _option_hints(kind).items() if ProvidedFile() in get_args(hint))
    return {name: getattr(entry, name) for name in marked}


def _option_hints(kind: type[Any]) -> dict[str, Any]:
    """Return each option's type hint, including constraints."""
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: hints[field.name] for field in fields(kind)}


def _model(key: str, base: type[SpecModel], kind: type[Registered]) -> type[SpecModel]:
    definitions: dict[str, Any] = {"kind": (ClassVar[type], kind), key: (Literal[kind.name], ...), **_definitions(kind)}
    return create_model(f"{kind.__name__}Entry", __base__=base, __doc__=kind.__doc__, **definitions)


def _definitions(kind: type[Any]) -> dict[str, tuple[Any, Any]]:
    """Return each option's type and default in pydantic's form, with `...` as the default if it is required."""
    hints = _option_hints(kind)
    defaults = {field.name: ... if field.default is MISSING else field.default for field in fields(kind)}
    return {name: (_for_pydantic(hint), defaults[name]) for name, hint in hints.items()}


def _for_pydantic(hint: Any) -> Any:
    """Return the hint with pydantic's constraints instead of the grader's. Lists have one or more distinct items."""
    if get_origin(hint) is Annotated:
        bare, *marks = get_args(hint)
        annotated: Any = _DECIMAL if bare is Decimal else _for_pydantic(bare)
        for mark in marks:
            annotated = Annotated[annotated, _mark_for_pydantic(mark)]
        return Annotated[annotated, ASCII_DIGITS] if bare is Decimal else annotated
    if get_origin(hint) is tuple:
        item: Any = _for_pydantic(get_args(hint)[0])
        return Annotated[tuple[item, ...], AT_LEAST_ONE, DISTINCT]
    if get_origin(hint) is UnionType:
        return reduce(or_, map(_for_pydantic, get_args(hint)))
    return Annotated[_DECIMAL, ASCII_DIGITS] if hint is Decimal else hint


def _mark_for_pydantic(mark: object) -> object:
    match mark:
        case MoreThan(limit):
            return Field(gt=limit)
        case AtLeast(limit):
            return Field(ge=limit)
        case AtMost(limit):
            return Field(le=limit)
        case ValidText():
            return AfterValidator(partial(_checked, mark))
        case ProvidedFile():
            return get_args(FileName)[1]
    return mark


def _checked(mark: ValidText, text: str) -> str:
    if not mark.is_valid(text):
        raise unexpected(text, mark.expected)
    return text
