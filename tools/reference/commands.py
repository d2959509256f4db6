"""Generates a page for each command from its help text."""

import re
from collections.abc import Iterable, Iterator

import click

from grader.cli.main import app
from tools.reference.markdown import code, joined, linked, package_text, sentences, table

_TERMS = re.compile(r"\s*\[(?P<terms>(?:default: |x[<>]|\d+<=|required)[^]]*)\]")
_LEAST = re.compile(r"^x>=(\S+)$")
_RANGE = re.compile(r"^(\S+)<=x<=(\S+)$")
_CONTENTS = ("Commands", "For students", "Grade a class", "Write tests", "Hand out", "Others")


class _Recorder(click.HelpFormatter):
    """A formatter that keeps the help of a command as blocks instead of lines for a terminal."""

    def __init__(self) -> None:
        super().__init__(width=100)
        self.blocks: list[str] = []
        self._heading = ""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:  # noqa: ARG002
        """Keep the usage."""
        self.blocks.append(code(f"{prog} {args}".strip(), "text"))

    def write_heading(self, heading: str) -> None:
        """Keep a heading for the next table."""
        self._heading = heading

    def write_text(self, text: str) -> None:
        """Keep paragraphs."""
        self.blocks.append(sentences(text))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:  # noqa: ARG002
        """Keep a table."""
        records = [*rows]
        is_option = records[0][0].startswith("-")
        name = "command" if self._heading in _CONTENTS else "option" if is_option else "argument"
        self.blocks.append(f"## {self._heading}")
        self.blocks.append(table((name, "meaning"), ((f"`{first}`", _meaning(second)) for first, second in records)))


def command_pages() -> Iterator[tuple[str, str]]:
    """Yield the pages, each with its path from docs/reference."""
    top = click.Context(app, info_name="grader", **app.context_settings)
    for name in app.list_commands(top):
        command = app.get_command(top, name)
        if command is not None:
            page = f"commands/{name}.md"
            text = joined([*_blocks(command, top, name), package_text("notes", "commands", f"{name}.md")])
            yield page, linked(text, page)


def _blocks(command: click.Command, parent: click.Context, name: str) -> Iterator[str]:
    """Yield the parts of a page; the page of a group also has its commands."""
    context = click.Context(command, info_name=name, parent=parent)
    recorder = _Recorder()
    context.make_formatter = lambda: recorder  # type: ignore[method-assign]
    command.get_help(context)
    usage, about, *rest = recorder.blocks
    yield f"# {context.command_path}"
    yield about
    yield usage
    yield from rest
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            for block in _blocks(found, context, inner) if found else ():
                yield f"#{block}" if block.startswith("#") else block


def _meaning(text: str) -> str:
    """Return a help text with the possible values and the default in words."""
    terms = [term for match in _TERMS.finditer(text) for term in match["terms"].split("; ")]
    bare = _TERMS.sub("", " ".join(text.split()))
    return " ".join(filter(None, [bare, *map(_term_words, terms)]))


def _term_words(term: str) -> str:
    if term.startswith("default: "):
        return f"Default: `{term.removeprefix('default: ')}`."
    if match := _LEAST.match(term):
        return f"At least {match[1]}."
    if match := _RANGE.match(term):
        return f"From {match[1]} to {match[2]}."
    return f"{term.capitalize()}."
