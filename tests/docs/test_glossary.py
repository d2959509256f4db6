"""The glossary of CONTRIBUTING.md: a thing has one name, in code, keys, commands, pages and documents."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from grader.cli.main import app
from tests import ROOT
from tests.docs.test_manual import COUNTED, MANUAL

GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| ([a-z, -]+) \| ([^|]+) \| ([a-z, -]+) \|$", re.M)
SECTION = GUIDE.partition("## Words\n")[2].partition("\n## ")[0]
ROWS = [(row[1].split(", "), row[3].split(", ")) for row in ROW.finditer(SECTION) if row[1] != "word"]
FORBIDDEN = [word for _, words in ROWS for word in words]
PATTERN = re.compile(rf"\b(?:{'|'.join(word.replace(' ', '[ -]') for word in FORBIDDEN)})e?s?\b", re.I)
# What speaks to other systems has their words.
ELSEWHERE = "plugins/platforms/", "plugins/importing/"


def source_files() -> list[Path]:
    files = sorted((ROOT / "grader").rglob("*.py"))
    return [file for file in files if not any(folder in file.as_posix() for folder in ELSEWHERE)]


def defined_names(file: Path) -> Iterator[str]:
    """The names that a module defines, as words."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match node:
            case ast.FunctionDef(name) if name != name.lower():
                pass  # Overrides a function of a library.
            case ast.ClassDef(name) | ast.FunctionDef(name) | ast.arg(name) | ast.Name(name, ast.Store()):
                yield re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name)


def commands(group: click.Group, context: click.Context) -> Iterator[click.Command]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield command
        if isinstance(command, click.Group):
            yield from commands(command, click.Context(command, info_name=name, parent=context))


def forbidden(text: str) -> list[str]:
    return PATTERN.findall(text)


def test_the_glossary_is_read() -> None:
    assert len(ROWS) >= 15
    assert forbidden("The deadlines of a test-case are no due dates.") == ["deadlines", "test-case"]
    assert forbidden("A due date, a test and a class") == []


@pytest.mark.parametrize("words", [words for words, _ in ROWS], ids=lambda words: words[0])
def test_a_word_of_the_glossary_is_used(words: list[str]) -> None:
    text = " ".join(document.read_text(encoding="utf-8") for document in COUNTED).casefold()
    assert [word for word in words if word not in text] == []


def test_documents() -> None:
    documents = [ROOT / "README.md", ROOT / "SECURITY.md", *MANUAL]
    found = {file.name: forbidden(file.read_text(encoding="utf-8")) for file in documents}
    assert {name: words for name, words in found.items() if words} == {}
    assert forbidden(GUIDE.replace(SECTION, "")) == []


def test_keys_and_their_descriptions() -> None:
    schemas = sorted((ROOT / "grader" / "spec" / "schemas").glob("*.json"))
    assert len(schemas) > 10
    assert {file.name: forbidden(file.read_text().replace("_", " ")) for file in schemas} == {
        file.name: [] for file in schemas
    }


def test_commands_options_and_their_help() -> None:
    context = click.Context(app, info_name="grader", **app.context_settings)
    listed = [*commands(app, context)]
    assert len(listed) > 25
    for command in listed:
        text = command.get_help(click.Context(command, info_name=command.name, parent=context))
        assert forbidden(text) == [], command.name


def test_pages() -> None:
    templates = sorted((ROOT / "grader").rglob("*.html"))
    assert len(templates) > 5
    assert {file.name: words for file in templates if (words := forbidden(file.read_text(encoding="utf-8")))} == {}


def test_code() -> None:
    found = {
        file.relative_to(ROOT).as_posix(): words
        for file in source_files()
        if (words := [word for name in defined_names(file) for word in forbidden(name)])
    }
    assert found == {}


def test_a_name_in_code_is_found(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("def late(finalGrade): pass\nclass TestCase: pass\nslip_days = 2\n")
    names = [word for name in defined_names(module) for word in forbidden(name)]
    assert sorted(names) == ["Test Case", "final Grade", "slip days"]
