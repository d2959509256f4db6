"""The catalogues have every sentence that the sources have, each well translated; see `make messages`."""

import ast
import re
from collections.abc import Iterator, Sequence
from configparser import ConfigParser
from functools import cache
from io import BytesIO
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_keywords
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from grader.text.language import CATALOGUES, ENGLISH, LANGUAGES
from tests import ROOT

SOURCES = ROOT / "grader"
TRANSLATED = [name for name in LANGUAGES if name != ENGLISH]
FORMS = {"say": 1, "told": 1, "say_plural": 2, "told_plural": 2}
PLURAL_AFTER = 1
"""How many arguments stand before the forms of a plural."""

Forms = tuple[str, ...]


def catalogue(language: str) -> Catalog:
    file = SOURCES / "locale" / language / "LC_MESSAGES" / "grader.po"
    with file.open("rb") as stream:
        return read_po(stream, locale=language, domain="grader")


def messages(found: Catalog) -> list[Message]:
    return [message for message in found if message.id]


def forms(given: str | Sequence[str] | None) -> Forms:
    return (given,) if isinstance(given, str) else tuple(given or ())


@cache
def extracted() -> set[Forms]:
    """What `make messages` collects."""
    words = re.search(r"^KEYWORDS := (.*)$", (ROOT / "Makefile").read_text(), re.M)
    assert words is not None
    mapping = ConfigParser(delimiters="=")
    mapping.read(SOURCES / "locale" / "mapping.ini")
    methods = [(pattern, method) for method, _, pattern in (name.partition(": ") for name in mapping.sections())]
    found = extract_from_dir(SOURCES, methods, keywords=parse_keywords(words[1].split()))
    return {forms(said) for _, _, said, _, _ in found}


def calls() -> Iterator[tuple[str, Forms]]:
    """The place and the forms of every sentence in the sources, which must stand there as they are."""
    for file in sorted(SOURCES.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if not re.search(r"from grader\.text\.(?:language|sentence) import", text) or file.name == "language.py":
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORMS:
                count = FORMS[node.func.id]
                given = node.args[PLURAL_AFTER:] if count > 1 else node.args
                texts = [one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)]
                place = f"{file.relative_to(ROOT)}:{node.lineno}"
                assert len(texts) == len(given) == count, f"{place}: a sentence must be written out"
                yield place, tuple(texts)


def test_every_sentence_in_the_code_is_collected() -> None:
    found = list(calls())
    assert [(place, said) for place, said in found if said not in extracted()] == []
    assert len({said for _, said in found}) > 400


def test_what_is_told_of_a_test_is_made_of_sentences() -> None:
    """Diagnoses and notes are never written out in place, where no catalogue would have them."""
    made = {"Diagnosis", "Note", "without_verdict", "followed_by"}
    plain = []
    for file in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in made:
                texts = (one for one in node.args if isinstance(one, ast.JoinedStr | ast.Constant))
                plain += [f"{file.relative_to(ROOT)}:{node.lineno}: {ast.unparse(one)}" for one in texts]
    assert plain == []


def test_a_sentence_is_never_both_a_singular_and_alone() -> None:
    singular = {said[0] for said in extracted() if len(said) > 1}
    assert singular & {said[0] for said in extracted() if len(said) == 1} == set()


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_is_complete_and_has_nothing_more(language: str) -> None:
    known = {forms(message.id) for message in messages(catalogue(language))}
    assert extracted() - known == set(), "run `make messages` and translate these"
    assert known - extracted() == set(), "run `make messages`"


OF_ENGLISH = {"clause", "lower", "lower clause"}
"""The formats that make a sentence a part of another one, for which a language has its own ways."""


def fields(template: str) -> dict[str, str]:
    found = ((name, spec or "") for _, name, spec, _ in Formatter().parse(template) if name)
    return {name: "" if spec in OF_ENGLISH else spec for name, spec in found}


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_sentence_is_translated_with_the_same_fields(language: str) -> None:
    for message in messages(catalogue(language)):
        assert not message.fuzzy, message.id
        original, translations = forms(message.id), forms(message.string)
        assert all(translations), f"not translated: {original}"
        wanted = {name: how for form in original for name, how in fields(form).items()}
        for translation in translations:
            assert fields(translation) == wanted, original
        # What stands at the ends joins a piece to the rest of a sentence.
        assert translations[0].startswith("    ") == original[0].startswith("    ")


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_compiled_catalogue_is_that_of_its_source(language: str) -> None:
    compiled = BytesIO()
    write_mo(compiled, catalogue(language))
    [file] = [SOURCES / name for name in CATALOGUES if Path(name).parts[1] == language]
    assert file.read_bytes() == compiled.getvalue(), "run `make messages`"


_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_HALF_WIDTH = re.compile(r"[\u4e00-\u9fff][,;:!?](?!\w)|[\u4e00-\u9fff]\.$")
_TOUCHING = re.compile(r"[\u4e00-\u9fff][A-Za-z0-9`]|[A-Za-z0-9`][\u4e00-\u9fff]")


def test_chinese_is_written_as_chinese_is() -> None:
    """Full-width punctuation beside Chinese characters, and a space between them and Latin letters or figures."""
    for message in messages(catalogue("zh_CN")):
        said = forms(message.string)[0]
        assert not _HALF_WIDTH.search(said), said
        assert not _TOUCHING.search(said), said


def test_most_of_the_catalogue_is_chinese() -> None:
    bare = [forms(one.string)[0] for one in messages(catalogue("zh_CN")) if not _CHINESE.search(forms(one.string)[0])]
    letters = {said for said in bare if re.search(r"[A-Za-z]{2}", re.sub(r"\{[^}]*\}", "", said))}
    assert letters == set()
