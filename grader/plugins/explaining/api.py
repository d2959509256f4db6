"""Explains the grader's terms with text from its documents, which are part of the package."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from itertools import chain
from pathlib import Path

from grader.api.course import course_for
from grader.errors import GraderError, quoted
from grader.installation import documents_folder
from grader.text.escape import name

_MAX_SUGGESTED = 5
_FIRST_FILES = "assignment", "tests"
_OF_ALL_PAGES = "Keys", "Options", "Every key in an example", "Positional arguments"

_HEADING = re.compile(r"^(?P<level>##+) (?P<title>.*)$", re.M)
_CELL = re.compile(r" *(?<!\\)\| *")
_TABLE = re.compile(r"^\| (?P<first>[a-z]+) \|.*\n\| ---.*\n(?P<rows>(?:\|.*\n?)+)", re.M)
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_CODE_POINT = re.compile(r"u\+(10[0-9a-f]{4}|[0-9a-f]{4,5})")
_CODE = re.compile(r"`([^`]*)`")


class ExplainError(GraderError):
    """The documents are missing, or do not mention a word."""


class WordKind(StrEnum):
    """The kind of a word."""

    VERDICT = "verdict"
    CAUSE = "cause of failure"
    ACCEPTED = "difference that may cost nothing"
    COLUMN = "column of a report"
    RULE = "rule about the code"
    FILE = "file"
    KEY = "key"
    TOPIC = "topic"
    VARIANT = "variant"
    CHARACTER = "character"


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """The explanation of a word in the documents, as Markdown without links.

    `names` holds the word and its other names, and `place` the files that contain the key (empty for other words).
    """

    kind: WordKind
    word: str
    names: frozenset[str]
    text: str
    place: str = ""

    @property
    def label(self) -> str:
        """The kind of the word, and the file of a key, such as `key in seeds.yaml`."""
        return f"{self.kind} in {self.place}" if self.kind is WordKind.KEY else str(self.kind)


def explanations() -> tuple[Explanation, ...]:
    """Return all explanations, in the order of the documents. Raises ExplainError if the documents are missing."""
    files = (f"reference/files/{name}.md" for name in _names_of_files())
    return (
        *_of_tables(_document("reference/results.md"), {"verdict": WordKind.VERDICT}),
        *_of_causes(_document("reference/causes.md")),
        *_of_tables(_document("reference/results.md"), {"column": WordKind.COLUMN}),
        *chain.from_iterable(_of_file(_document(file)) for file in files),
        *chain.from_iterable(map(_of_topics, sorted(_pages()))),
    )


def _names_of_files() -> Iterator[str]:
    """Yield the names of the pages about files, starting with the files that instructors write most often."""
    names = {Path(page).stem for page in _pages() if page.startswith("reference/files/")}
    yield from (*_FIRST_FILES, *sorted(names - set(_FIRST_FILES)))


def _pages() -> Iterator[str]:
    """Yield the documents in their folder."""
    folder = documents_folder()
    for file in folder.rglob("*.md"):
        if "examples" not in file.relative_to(folder).parts and file.stem != "index":
            yield file.relative_to(folder).as_posix()


def explain(word: str) -> tuple[Explanation, ...]:
    """Explain a verdict, a cause, a column, a rule, a file with all its keys, or a key by its own or its full name.

    A value is explained by the keys that accept it, and any other word by the documents and sections with that title. A
    variant is explained if an assignment of this course has it, and `U+FE0F` is a character.
    Raises ExplainError with the closest words if nothing is found.
    """
    all_words = explanations()
    sought = word.strip().casefold().replace("[]", "")
    matches = [entry for entry in all_words if sought in entry.names and entry.kind is not WordKind.TOPIC]
    matches += [
        entry for entry in all_words if entry not in matches and any(_is_below(entry, above) for above in matches)
    ]
    matches = matches or [
        entry for entry in all_words if entry.kind is WordKind.KEY and sought in _CODE.findall(entry.text)
    ]
    matches = matches or [entry for entry in all_words if sought in entry.names]
    matches = matches or [entry for entry in all_words if f"{sought}s" in entry.names]
    matches = matches or [*_characters(sought), *_variants(sought)]
    if matches:
        return tuple(matches)
    names = {name for entry in all_words for name in entry.names}
    close = ", ".join(map(quoted, get_close_matches(sought, sorted(names), n=_MAX_SUGGESTED)))
    hint = f" The closest words are {close}." if close else ""
    raise ExplainError(f"The documents do not explain {quoted(word)}.{hint} `grader explain` says what there is.")


def _characters(sought: str) -> Iterator[Explanation]:
    """Yield the explanation of a character that is written as `U+FE0F`."""
    if code_point := _CODE_POINT.fullmatch(sought):
        character, word = chr(int(code_point[1], 16)), sought.upper()
        text = f"{name(character)}; in Python: `{character!a}`"
        yield Explanation(kind=WordKind.CHARACTER, word=word, names=frozenset({sought}), text=text)


def _variants(sought: str) -> Iterator[Explanation]:
    """Yield an explanation for each assignment of the course around the working directory that has this variant."""
    with suppress(GraderError):
        for assignment in course_for(named=None, path=Path.cwd()).assignments():
            files = {program.file: program.variants for program in assignment.programs}
            named = [file for file, variants in files.items() if sought in map(str.casefold, variants)]
            if named:
                text = (
                    f"One of the accepted readings of the handout of {assignment.id}: {', '.join(files[named[0]])}. "
                    "A submission is judged by the variant that gives it the most points."
                )
                yield Explanation(kind=WordKind.VARIANT, word=sought, names=frozenset({sought}), text=text)


def _is_below(key: Explanation, above: Explanation) -> bool:
    """Return whether the key belongs to this file or mapping."""
    if key.kind is not WordKind.KEY or key.place != above.place:
        return False
    return above.kind is WordKind.FILE or key.word.startswith((f"{above.word}.", f"{above.word}[]."))


def _document(name: str) -> str:
    file = documents_folder() / name
    if not file.is_file():
        raise ExplainError(f"The document {name} is not there; install the package with pip.")
    return _LINK.sub(r"\1", file.read_text(encoding="utf-8"))


def _of_tables(document: str, kinds: Mapping[str, WordKind]) -> Iterator[Explanation]:
    """Yield the rows of the tables whose first column has one of these headings."""
    for first, kind in kinds.items():
        for word, meaning in _rows(document, first):
            names = word.replace("`", "").split(", ")
            yield Explanation(kind=kind, word=", ".join(names), names=frozenset(names), text=meaning)


def _of_topics(name: str) -> Iterator[Explanation]:
    """Yield the beginning of each document under its name, and its sections under their titles."""
    first, *sections = re.split(r"^## ", _document(name), flags=re.M)
    title, _, text = first.removeprefix("# ").partition("\n")
    word = Path(name).stem
    if not name.startswith(("reference/files/", "reference/commands/")):
        yield Explanation(kind=WordKind.TOPIC, word=word, names=frozenset({word, title.casefold()}), text=text.strip())
    for section in sections:
        title, _, text = section.partition("\n")
        if title not in _OF_ALL_PAGES and not title.startswith("`"):
            names = frozenset({title.casefold()})
            yield Explanation(kind=WordKind.TOPIC, word=title, names=names, text=text.strip(), place=name)


def _of_causes(document: str) -> Iterator[Explanation]:
    headings = [*_HEADING.finditer(document)]
    for heading, end in zip(headings, [*(following.start() for following in headings[1:]), len(document)], strict=True):
        body = document[heading.end() : end]
        if heading["title"].startswith("`"):
            word = heading["title"].strip("`")
            yield Explanation(kind=WordKind.CAUSE, word=word, names=frozenset({word}), text=body.strip())
        for word, meaning in _rows(body, "note"):
            yield Explanation(kind=WordKind.ACCEPTED, word=word, names=frozenset({word}), text=meaning)


def _of_file(document: str) -> Iterator[Explanation]:
    """Yield the explanations on the page of a file: the file, its keys, and the rules about code."""
    title, _, body = document.removeprefix("# ").partition("\n")
    text = body.partition("\n## ")[0].strip()
    yield Explanation(kind=WordKind.FILE, word=title, names=frozenset(title.split(", ")), text=text, place=title)
    for word, cells in _rows(body, "key"):
        kind, default, meaning = _CELL.split(cells)
        steps = word.replace("[]", "").split(".")
        names = frozenset(".".join(steps[start:]) for start in range(len(steps)))
        text = f"{meaning} ({'; '.join(filter(None, [kind, default]))})"
        yield Explanation(kind=WordKind.KEY, word=word, names=names, text=text, place=title)
    for word, meaning in _rows(body, "rule"):
        yield Explanation(kind=WordKind.RULE, word=word, names=frozenset({word}), text=meaning)


def _rows(text: str, first: str) -> Iterator[tuple[str, str]]:
    """Yield the rows of tables with this heading in the first column: the word in that column, and the other cells."""
    for table in _TABLE.finditer(text):
        for row in table["rows"].splitlines() if table["first"] == first else ():
            word, _, rest = row.removeprefix("| ").removesuffix(" |").partition(" | ")
            yield word.strip("`"), rest.replace("\\|", "|") if first != "key" else rest
