"""The language of messages for students: selecting a language, and translating sentences.

The catalogues are in `grader/locale/`. Messages are in English unless another language is selected.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from grader.errors import known_name
from grader.text.sentence import Sentence, filled, say, say_plural

if TYPE_CHECKING:
    from gettext import NullTranslations

ENGLISH = "en"

LANGUAGES: Mapping[str, str] = {ENGLISH: "English", "zh_CN": "简体中文"}
"""The available languages: their names in gettext, and in the languages themselves."""

CATALOGUES = tuple(f"locale/{name}/LC_MESSAGES/grader.mo" for name in LANGUAGES if name != ENGLISH)
"""The files of all catalogues, relative to the package."""

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


_spoken: ContextVar[tuple[str, "NullTranslations | None"]] = ContextVar("spoken", default=(ENGLISH, None))
"""The language and its catalogue."""


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Use `language` for output within the context. Raises GraderError if it is not available."""
    known_name(language, LANGUAGES, "language")
    before = _spoken.set((language, None if language == ENGLISH else _catalogue(language)))
    try:
        yield
    finally:
        _spoken.reset(before)


@cache
def _catalogue(language: str) -> "NullTranslations":
    from gettext import GNUTranslations  # not needed for English

    file = files("grader") / "locale" / language / "LC_MESSAGES" / "grader.mo"
    with file.open("rb") as stream:
        return GNUTranslations(stream)


def language_of(environment: Mapping[str, str]) -> str:
    """Return the language that an environment requests, or English if none of the requested languages is available.

    As in gettext, the first of LC_ALL, LC_MESSAGES and LANG that is set contains a locale. Unless the locale is C,
    LANGUAGE can list preferred languages (GNU gettext manual, section 2.3, "Setting the Locale through Environment
    Variables"). If no locale is set, as on Windows, only LANGUAGE counts.
    """
    locale = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    if locale.partition(".")[0] in ("C", "POSIX"):
        return ENGLISH
    locales = (environment.get("LANGUAGE") or locale).split(":")
    return next((spoken for candidate in locales if (spoken := _named(candidate)) is not None), ENGLISH)


def _named(locale: str) -> str | None:
    """Return the language of a locale such as `zh_CN.UTF-8`, or None if it is not available."""
    name = locale.partition(".")[0].partition("@")[0].replace("-", "_")
    if name in LANGUAGES:
        return name
    language, _, country = name.partition("_")
    if language in LANGUAGES:
        return language
    return (
        None
        if country
        else next((candidate for candidate in LANGUAGES if candidate.partition("_")[0] == language), None)
    )


def language_tag() -> str:
    """Return the current language as a tag for web pages (BCP 47): `en`, `zh-CN`."""
    return _spoken.get()[0].replace("_", "-")


def in_language(text: str) -> str:
    """Return a sentence in the current language; text that is not a sentence is returned unchanged."""
    _, catalogue = _spoken.get()
    return text if catalogue is None or not isinstance(text, Sentence) else _translated(text, catalogue)


def _translated(sentence: Sentence, catalogue: "NullTranslations") -> str:
    match sentence.forms, sentence.values.get("count"):
        case (one, several), int(count):
            template = catalogue.ngettext(one, several, count)
        case (template, *_), _:
            template = catalogue.gettext(template) if template else ""
    values = {
        name: _translated(value, catalogue) if isinstance(value, Sentence) else value
        for name, value in sentence.values.items()
    }
    return filled(template, values)


def told(template: str, /, **values: object) -> str:
    """Return the sentence from `say` in the current language."""
    if _spoken.get()[1] is None:
        return filled(template, values)
    return in_language(say(template, **values))


def told_plural(count: int, singular: str, plural: str, /, **values: object) -> str:
    """Return the sentence from `say_plural` in the current language."""
    return in_language(say_plural(count, singular, plural, **values))
