"""Sentences for students: English text that knows how it was made, so that it can be said in another language."""

import string
from collections.abc import Iterable, Mapping
from typing import Any

_STOPS = (".", "。")
_OWN_FORMATS = (":clause}", ":lower}", ":lower clause}", ":upper}")


class Sentence(str):
    """A sentence in English, or a piece of one. It equals its text; where it is stored, it is plain text.

    `forms` are its template, or one for the singular and one for the plural, which `values["count"]` decides. `values`
    are what stands in the fields of the template, and may be sentences themselves.
    """

    # The marks of a large class come with many.
    __slots__ = ("forms", "values")

    forms: tuple[str, ...]
    values: Mapping[str, object]

    def __new__(cls, forms: tuple[str, ...], values: Mapping[str, object]) -> "Sentence":
        """Fill in the values."""
        sentence = super().__new__(cls, filled(forms[0] if values.get("count") == 1 else forms[-1], values))
        sentence.forms, sentence.values = forms, values
        return sentence

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what it was made of: workers send sentences."""
        return Sentence, (self.forms, dict(self.values))

    def value(self, name: str) -> object:
        """Return the value of a field of the sentence, or of a sentence in it; None when there is no such field."""
        if name in self.values:
            return self.values[name]
        inner = (item.value(name) for item in self.values.values() if isinstance(item, Sentence))
        return next((item for item in inner if item is not None), None)


def say(template: str, /, **values: object) -> Sentence:
    """Return the sentence that `template` makes with `values`.

    Beside the formats of Python, a field may have `:clause`, which leaves a full stop at the end out, `:lower`, which
    begins with a small letter, `:lower clause`, and `:upper`, which begins with a capital letter.
    """
    return Sentence((template,), values)


def say_plural(count: int, singular: str, plural: str, /, **values: object) -> Sentence:
    """Return the sentence that `singular` makes if `count` is 1, or else `plural`; both may have the field `count`."""
    return Sentence((singular, plural), {"count": count, **values})


def joined(separator: str, parts: Iterable[object]) -> Sentence:
    """Return the parts in one text; those that are sentences can still be said in another language."""
    values = {f"part{number}": part for number, part in enumerate(parts)}
    return Sentence((separator.join(f"{{{name}}}" for name in values),), values)


class _Filler(string.Formatter):
    """Fills templates in, with formats for texts that become parts of sentences."""

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
    """`template` with `values` in its fields."""
    if "{" not in template:
        return template
    if any(custom_format in template for custom_format in _OWN_FORMATS):
        return _Filler().vformat(template, (), values)
    # Python fills in the same, in a fifth of the time.
    return template.format_map(values)


def _clause(text: str) -> str:
    return text[:-1] if text.endswith(_STOPS) else text
