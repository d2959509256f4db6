"""The layout of web pages: the base templates, and the style and script in every page.

A page does not load anything else. Its content security policy only allows these two, so students' text stays text even
if it gets past the escaping.
"""

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote

from jinja2 import ChoiceLoader, Environment, FunctionLoader, PackageLoader, StrictUndefined
from markupsafe import Markup

from grader.model.assignment import Assignment
from grader.reports.html.text import visible_in_page
from grader.reports.theme import page_colours
from grader.text.language import in_language, language_tag, told, told_plural
from grader.text.words import format_decimal

_PACKAGE = "grader.reports.html"
Neighbours: TypeAlias = dict[str, str | None]
"""The links to the pages `before` and `after` a page, or None at either end."""


@dataclass(frozen=True)
class PageAssets:
    """The style and script of every page, and the content security policy that allows them."""

    style: Markup
    script: Markup

    @property
    def policy(self) -> str:
        """The content security policy."""
        style, script = _digest(self.style), _digest(self.script)
        rules = ("default-src 'none'", "img-src data:", f"style-src {style}", f"script-src {script}")
        return "; ".join((*rules, "base-uri 'none'", "form-action 'none'"))


def page_environment(assignment: Assignment, *assets: str) -> Environment:
    """Return the template environment for pages about `assignment`; `assets` extend the common style and script.

    A plugin's template is called `PACKAGE:FILE.html`, and its style and script are called `PACKAGE:FILE`.
    """
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(_PACKAGE), FunctionLoader(_template_of_plugin)]),
        autoescape=True,
        finalize=_harmless,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # Otherwise every inclusion would check whether the file has changed.
        auto_reload=False,
    )
    names = (f"{_PACKAGE}:page", *assets)
    style, script = (Markup("".join(_file_of("assets", f"{name}.{kind}") for name in names)) for kind in ("css", "js"))
    style = Markup(page_colours()) + style
    environment.globals.update(assets=PageAssets(style, script), assignment=assignment, exact=format_decimal)
    environment.globals.update(told=told, told_plural=told_plural, language=language_tag())
    return environment


def write_page(file: Path, text: str) -> None:
    """Write a page. Raises OSError if that fails."""
    file.write_bytes(text.encode())


def page_links(names: Mapping[str, str]) -> dict[str, str]:
    """Return the file names in the form used in links."""
    return {name: quote(file) for name, file in names.items()}


def neighbour_links(links: Sequence[str]) -> Iterator[Neighbours]:
    """Yield the links before and after each of `links`."""
    return (neighbours(links, number) for number in range(len(links)))


def neighbours(links: Sequence[str], number: int) -> Neighbours:
    """Return the links before and after the link at index `number`."""
    after = links[number + 1] if number + 1 < len(links) else None
    return {"before": links[number - 1] if number else None, "after": after}


def _harmless(value: Any) -> Any:
    """Return a value as templates show it: markup unchanged, and other text in the chosen language.

    Control characters become visible.
    """
    if type(value) is str:  # excludes sentences to translate
        return visible_in_page(value)
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return visible_in_page(str(in_language(value)))


def _template_of_plugin(name: str) -> str | None:
    return _file_of("templates", name) if ":" in name else None


def _file_of(folder: str, name: str) -> str:
    """Return the text of a file in a package, given a name such as `PACKAGE:FILE`."""
    package, _, file = name.partition(":")
    return (files(package) / folder / file).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
