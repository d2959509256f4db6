"""Explains the words of a self-check, using the documents in a bundle, and its tests."""

import re
from collections.abc import Iterable, Iterator
from importlib.resources import files
from textwrap import fill

from grader.errors import nearest, quoted
from grader.files.archive_reader import bytes_words
from grader.model.assignment import Assignment
from grader.model.judgement import Verdict
from grader.model.program import Limits
from grader.model.test import Test, Visibility
from grader.reports.repetition import how_to_repeat
from grader.selfcheck.check import CheckError
from grader.text.escape import escape_controls
from grader.text.escape import name as character_name
from grader.text.language import in_language, told

DOCUMENTS = ("reference/causes.md", "reference/results.md")
_COLUMNS = 80
_LISTS = ("cause", "verdict", "condition", "test", "word")
_CODE_POINT = re.compile(r"U\+(10[0-9A-F]{4}|[0-9A-F]{4,5})", re.I)
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_SECTION = re.compile(r"^##+ `(?P<word>[a-z-]+)`\n+(?P<text>.*?)\s*(?=^##|\Z)", re.M | re.S)
_ROW = re.compile(r"^\| `(?P<word>[a-z-]+)` \| (?P<text>.*) \|$", re.M)
_KIND = re.compile(r"^## (?P<title>[^`].*)\n(?P<text>(?:(?!## ).*\n)*)", re.M)


def explained(word: str, assignment: Assignment, command: str) -> str:
    """Return the explanation of a cause, a verdict or a test; without a name, the list of them. Raises CheckError.

    `command` runs the bundle.
    """
    documents = [(files("grader") / "docs" / name).read_text(encoding="utf-8") for name in DOCUMENTS]
    text = _LINK.sub(r"\1", "\n".join(documents))
    if word.removesuffix("s") in (*_LISTS, ""):
        return "\n".join(_listed(_LINK.sub(r"\1", documents[0]), assignment, command))
    tests = {test.id: test for test in assignment.tests if test.visibility is Visibility.PUBLIC}
    if word in tests:
        return "\n".join(_about_test(tests[word], command))
    words = _about_running(assignment.limits) | _about_variants(assignment)
    if code_point := _CODE_POINT.fullmatch(word):
        character = chr(int(code_point[1], 16))
        words[word] = told("{name}; in Python: {text}", name=character_name(character), text=ascii(character))
    for match in (*_SECTION.finditer(text), *_ROW.finditer(text)):
        words.setdefault(match["word"], match["text"])
    if word not in words:
        raise CheckError(f"{quoted(word)} is not explained{nearest(word, [*words, *tests])}")
    return f"{word}: {words[word]}"


def _listed(causes: str, assignment: Assignment, command: str) -> Iterator[str]:
    """Yield the words that can be explained, under headings."""
    yield told("`{command} explain WORD` explains one of these words:", command=command)
    for kind in _KIND.finditer(causes):
        yield from _wrapped_list(kind["title"], (match["word"] for match in _SECTION.finditer(kind["text"])))
    yield from _wrapped_list(told("Verdicts"), Verdict)
    yield from _wrapped_list(told("Conditions"), _about_running(assignment.limits) | _about_variants(assignment))
    yield from _wrapped_list(told("Tests"), (escape_controls(test.id) for test in assignment.tests))


def _wrapped_list(title: str, words: Iterable[str]) -> Iterator[str]:
    names = ", ".join(words)
    if names:
        yield f"\n{title}"
        yield fill(
            names, _COLUMNS, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False, break_long_words=False
        )


def _about_test(test: Test, command: str) -> Iterator[str]:
    yield escape_controls(f"{test.id}: {test.title}" if test.title else test.id)
    yield escape_controls(in_language(how_to_repeat(test, most=None)))
    yield told("Run this test alone: {command} --test {test}", command=command, test=test.id)


def _about_variants(assignment: Assignment) -> dict[str, str]:
    """Explain the accepted readings of the handout, each under its name and all under `variant`."""
    variants = dict.fromkeys(name for program in assignment.programs for name in program.variants)
    words = told(
        "The handout can be read in more than one way, and each variant is accepted: {variants}. A program must follow "
        "the same variant in all tests.",
        variants=", ".join(variants),
    )
    return dict.fromkeys(("variant", *variants), words) if len(variants) > 1 else {}


def _about_running(limits: Limits) -> dict[str, str]:
    """Explain the conditions under which programs run."""
    return {
        "limits": told(
            "In each test, your program is stopped after {seconds} seconds, if it uses more than {memory} of memory, "
            "or if it prints more than {output}.",
            seconds=f"{limits.wall_seconds:g}",
            memory=bytes_words(limits.memory_bytes),
            output=bytes_words(limits.output_bytes),
        ),
        "sandbox": told(
            "The self-check runs your program as you do, without a sandbox. Your course runs it in a sandbox: your "
            "program can only change files in its own folder, and it has no network."
        ),
    }
