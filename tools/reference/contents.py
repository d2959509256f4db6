"""The contents of the reference: every page with its title and first sentence."""

import re
from collections.abc import Iterator, Mapping

from tools.reference.markdown import joined

_LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")


def contents_page(texts: Mapping[str, str]) -> str:
    """Return the page, given the texts of the other pages."""
    return joined(_blocks(texts))


def _blocks(texts: Mapping[str, str]) -> Iterator[str]:
    yield "# Reference"
    yield (
        "The reference describes every file, key, command and cause. In a terminal, `grader explain WORD` prints the "
        "same text."
    )
    yield "## Files"
    yield "\n".join(_entry(page, text) for page, text in texts.items() if page.startswith("files/"))
    yield "## Commands"
    yield "\n".join(_entry(page, text) for page, text in sorted(texts.items()) if page.startswith("commands/"))
    yield "## Further pages"
    others = (item for item in sorted(texts.items()) if "/" not in item[0] and item[0] != "index.md")
    yield "\n".join(_entry(page, text) for page, text in others)


def _entry(page: str, text: str) -> str:
    title, _, rest = text.partition("\n")
    first = _LINK.sub(r"\1", rest.strip().partition("\n\n")[0].replace("\n", " "))
    sentence = re.split(r"(?<=\.) ", first, maxsplit=1)[0].rstrip(".")
    clause = sentence if sentence[1].isupper() else sentence[0].lower() + sentence[1:]
    return f"- [{title.removeprefix('# ')}]({page}): {clause}."
