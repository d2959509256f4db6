"""Models that plugins extend with keys, such as the model of a test."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import create_model
from pydantic_core import core_schema

from grader.config.type_hints import fields_of
from grader.config.validation import SpecModel
from grader.extensions import ExtensionError, find_extension, load_group


@dataclass(frozen=True)
class KeysOfPlugins:
    """An annotation for the model `base`, which plugins extend with keys.

    Each key is registered with a class derived from `base`, which is imported when an entry contains the key.
    """

    base: type[SpecModel]
    group: str

    def validate(self, value: object, read: Callable[[object], object]) -> object:
        """Return the model of an entry."""
        keys = value.keys() - fields_of(self.base).keys() if isinstance(value, dict) else ()
        try:
            kinds = tuple(self._kinds(sorted(map(str, keys))))
        except ExtensionError as error:
            raise ValueError(str(error)) from None
        return _joined(self.base, kinds).model_validate(value) if kinds else read(value)

    def whole(self) -> type[SpecModel]:
        """Return the model with the keys of all plugins that can be loaded."""
        kinds = dict.fromkeys(load_group(self.group, type).objects.values())
        return _joined(self.base, tuple(kind for kind in kinds if issubclass(kind, self.base)))

    def _kinds(self, keys: Iterable[str]) -> Iterable[type[SpecModel]]:
        items = filter(None, (find_extension(self.group, key) for key in keys))
        return dict.fromkeys(item.load_class(self.base) for item in items)

    def __get_pydantic_core_schema__(self, source: object, handler: Callable[[object], Any]) -> core_schema.CoreSchema:
        return core_schema.no_info_wrap_validator_function(self.validate, handler(source))

    def __get_pydantic_json_schema__(self, schema: object, handler: Callable[[Any], Any]) -> Any:
        return handler(self.whole().__pydantic_core_schema__)


@cache
def _joined(base: type[SpecModel], kinds: tuple[type[SpecModel], ...]) -> type[SpecModel]:
    return create_model(base.__name__, __base__=kinds or (base,), __module__=base.__module__, __doc__=base.__doc__)
