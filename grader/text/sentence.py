"""Sentences for students: English text that keeps its template and values so that it can be translated."""

import string
from collections.abc import Iterable, Mapping
from typing import Any

_STOPS = (".", "。")
_OWN_FORMATS = (":clause}", ":lower}", ":lower clause}", ":upper}")


class Sentence(str):
    """An English sentence, or part of one. It equals its text, and is stored as plain text.

    `forms` holds its template, or the singular and plural templates, between which `values["count"]` decides. `values`
    fill the fields of the template, and can be sentences themselves.
    """

    # The marks of a large class contain many sentences.
    __slots__ = ("forms", "values")

    forms: tuple[str, ...]
    values: Mapping[str, object]

    def __new__(cls, forms: tuple[str, ...], values: Mapping[str, object]) -> "Sentence":
        """Fill in the values."""
        sentence = super().__new__(cls, filled(forms[0] if values.get("count") == 1 else forms[-1], values))
        sentence.forms, sentence.values = forms, values
        return sentence

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the templates and values, because workers send sentences."""
        return Sentence, (self.forms, dict(self.values))

    def value(self, name: str) -> object:
        """Return the value of a field in the sentence or in a nested sentence, or None if the field does not exist."""
        if name in self.values:
            return self.values[name]
        inner = (item.value(name) for item in self.values.values() if isinstance(item, Sentence))
        return next((item for item in inner if item is not None), None)


def say(template: str, /, **values: object) -> Sentence:
    """Return the sentence from `template` and `values`.

    In addition to Python's formats, a field can have `:clause`, which drops the full stop at the end, `:lower`, which
    makes the first letter lower case, `:lower clause`, and `:upper`, which makes it upper case.
    """
    return Sentence((template,), values)


def say_plural(count: int, singular: str, plural: str, /, **values: object) -> Sentence:
    """Return the sentence from `singular` if `count` is 1, or else from `plural`; both can contain `count`."""
    return Sentence((singular, plural), {"count": count, **values})


def joined(separator: str, parts: Iterable[object]) -> Sentence:
    """Join the parts into one text, in which any sentences can still be translated."""
    values = {f"part{number}": part for number, part in enumerate(parts)}
    return Sentence((separator.join(f"{{{name}}}" for name in values),), values)


class _Filler(string.Formatter):
    """Formats templates, with additional formats for text that becomes part of a sentence."""

    def format_field(self, value: Any, format_spec: str) -> str:
        match format_spec:
            case "clause":
                return _clause(str(value))
            case "lower clause":
                clause = _clause(str(value))
                return clause[:1].lower() + clause[1:]
            case "lower":
                return str(value)[:1].lower() + str(value)[1:]
            case "upper":
                return str(value)[:1].upper() + str(value)[1:]
        return str(super().format_field(value, format_spec))


def filled(template: str, values: Mapping[str, object]) -> str:
    """Return `template` with its fields filled in from `values`."""
    if "{" not in template:
        return template
    if any(custom_format in template for custom_format in _OWN_FORMATS):
        return _Filler().vformat(template, (), values)
    # Python's own formatting gives the same result in a fifth of the time.
    return template.format_map(values)


def _clause(text: str) -> str:
    return text[:-1] if text.endswith(_STOPS) else text
