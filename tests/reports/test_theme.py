"""One theme: no other module or style sheet names a colour, and both only use what the theme has."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.color import ANSI_COLOR_NAMES
from rich.style import Style

import grader
from grader.reports.theme import PAGES, TerminalStyle, page_colours

PACKAGE = Path(grader.__file__).parent
THEME = PACKAGE / "reports" / "theme.py"
EMULATOR = PACKAGE / "plugins" / "screens" / "emulator.py"
"""Names the colours that programs use."""
EMPHASIS = {"bold", "dim", "reverse", "italic", "underline"}
COLOURS = set(ANSI_COLOR_NAMES) - {"default"}
IN_MARKUP = re.compile(rf"\[/?(not )?({'|'.join(sorted(EMPHASIS | COLOURS))})\]")
IN_PAGES = re.compile(
    r"[:,( \"']#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b|\b(?:rgba?|hsla?|light-dark)\("
    r"|:\s*(?:white|black|red|green|blue|yellow|gr[ae]y)\b",
    re.IGNORECASE,
)


def is_style(text: str) -> bool:
    """Whether `text` is a style for Rich."""
    words = set(text.split())
    return bool(words & (EMPHASIS | COLOURS)) and words <= EMPHASIS | COLOURS | {"not", "on"}


def styles_in(source: str) -> Iterator[str]:
    """The literals of a module that are styles, or hold some as markup."""
    literals = (node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))
    for text in literals:
        if isinstance(text, str) and (is_style(text) or IN_MARKUP.search(text)):
            yield text


@pytest.mark.slow
def test_no_other_module_names_a_style() -> None:
    found = {
        file.relative_to(PACKAGE).as_posix(): list(styles_in(file.read_text(encoding="utf-8")))
        for file in PACKAGE.rglob("*.py")
        if file not in (THEME, EMULATOR)
    }
    assert {file: styles for file, styles in found.items() if styles} == {}


def test_the_search_finds_styles() -> None:
    assert list(styles_in('a("bold red"), b("[green]yes[/]"), c("red herring"), d("not"), e("not bold")')) == [
        "bold red",
        "[green]yes[/]",
        "not bold",
    ]


@pytest.mark.parametrize("kind", ["css", "html", "js"])
def test_no_other_file_of_the_pages_names_a_colour(kind: str) -> None:
    files = list((PACKAGE / "reports" / "html").rglob(f"*.{kind}"))
    assert files
    found = {file.name: IN_PAGES.findall(file.read_text(encoding="utf-8")) for file in files}
    assert {name: colours for name, colours in found.items() if colours} == {}


def test_every_colour_that_is_used_is_in_the_theme_and_the_other_way_round() -> None:
    sheets = "".join(file.read_text() for file in PACKAGE.rglob("assets/*.css"))
    own = set(re.findall(r"(--[a-z][a-z-]*):", sheets))
    used = set(re.findall(r"var\((--[a-z0-9-]+)\)", sheets))
    assert used - own - {f"--{name}" for name in PAGES} == set()
    assert {f"--{name}" for name in PAGES} - used == set()


def test_rich_reads_every_style() -> None:
    for style in TerminalStyle:
        assert str(Style.parse(style)) != "none"


def test_the_colours_are_variables() -> None:
    assert "  --passed: light-dark(#0f6236, #7fe0a8);\n" in page_colours()
