"""Explains the words of a self-check, using the documents in a bundle."""

import re
from importlib.resources import files

from grader.errors import nearest, quoted
from grader.selfcheck.check import CheckError

DOCUMENTS = ("reference/causes.md", "reference/results.md")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_SECTION = re.compile(r"^##+ `(?P<word>[a-z-]+)`\n+(?P<text>.*?)\s*(?=^##|\Z)", re.M | re.S)
_ROW = re.compile(r"^\| `(?P<word>[a-z-]+)` \| (?P<text>.*) \|$", re.M)


def explained(word: str) -> str:
    """Return the explanation of a cause or verdict; without a name, the list of causes. Raises CheckError."""
    documents = [(files("grader") / "docs" / name).read_text(encoding="utf-8") for name in DOCUMENTS]
    text = _LINK.sub(r"\1", "\n".join(documents))
    words: dict[str, str] = {}
    for match in (*_SECTION.finditer(text), *_ROW.finditer(text)):
        words.setdefault(match["word"], match["text"])
    if not word:
        return ", ".join(match["word"] for match in _SECTION.finditer(text))
    if word not in words:
        raise CheckError(f"{quoted(word)} is not explained{nearest(word, words)}")
    return f"{word}: {words[word]}"
