"""`grader docs`: the guides in the terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from grader.plugins.manual.pages import Page

_LISTED = ("Start", "Guides", "Concepts")
"""The parts of the manual in the list; pages of other parts can be found by name or by search."""


@click.command()
@click.argument("words", metavar="[GUIDE|WORD]...", nargs=-1, help="A guide to show, or words to search for.")
def docs(*, words: Sequence[str]) -> None:
    """List the guides, show one, or search them."""
    from grader.plugins.manual.pages import find, manual, search

    pages = manual()
    page = find(" ".join(words), pages) or find("-".join(words), pages) if words else None
    if page is not None:
        _show(page, pages)
    elif words:
        _print_matches(search(words, pages), words)
    else:
        _print_list(pages)


def _print_list(pages: Sequence["Page"]) -> None:
    """Print the names and titles of the guides under their headings."""
    from grader.plugins.manual.contents import DOORS

    titles = {page.path: page for page in pages}
    for door in DOORS:
        for heading, paths in door.arranged(frozenset(titles)) if door.title in _LISTED else ():
            if paths:
                print(f"{door.title}: {heading}" if heading else door.title)
                _print_rows([titles[path] for path in paths])
    print("`grader docs GUIDE` shows one, `grader docs WORD` finds the pages with a word.")


def _print_rows(pages: Sequence["Page"]) -> None:
    width = max(len(page.name) for page in pages)
    for page in pages:
        print(f"  {page.name:{width}}  {page.title}")


def _print_matches(matches: Sequence["Page"], words: Sequence[str]) -> None:
    """Print the pages that contain the words, each with a matching line."""
    for page in matches:
        print(f"{page.path}: {page.title}")
        line = page.line_with([word.casefold() for word in words])
        if line:
            print(f"  {line}")


def _show(page: "Page", pages: Sequence["Page"]) -> None:
    """Show a page, and the commands for the pages that it links to."""
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(highlight=False)
    console.print(Markdown(page.for_terminal()))
    titles = {other.path: other.title for other in pages}
    linked = [path for path in page.linked() if path in titles]
    if linked:
        print("\nMore:")
    for path in linked:
        print(f"  grader docs {path}  {titles[path]}")
