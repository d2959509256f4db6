"""Sentences for students about a proved repair: its place, its kind, or the change itself."""

from collections.abc import Callable, Iterator, Sequence
from difflib import unified_diff
from itertools import islice
from keyword import iskeyword
from typing import TypeAlias

from grader.plugins.locating.repairing.edited_source import edited_source
from grader.plugins.locating.repairing.edits import DepthEdit, Edit, LineEdit, TokenEdit
from grader.plugins.locating.repairing.hint_proof import ProvedEdits
from grader.plugins.locating.repairing.program_lines import ProgramLine, SourceLine, read_source
from grader.text.sentence import Sentence, joined, say, say_plural

HintWords: TypeAlias = Callable[[str, ProvedEdits], str | None]
"""A function that says something about a proved repair of a program, or None if it is too large for a hint."""

_MAX_LINES, _MAX_TESTS = 3, 4
_COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "!=", "in", "is"))
_OPERATORS = frozenset(("+", "-", "*", "/", "//", "%", "**", "+=", "-=", "*=", "/=", "//=", "%=", "=", "&", "|", "^"))
_LOGIC = frozenset(("and", "or", "not", "True", "False"))


def place_words(text: str, proved: ProvedEdits) -> Sentence | None:
    """Name the lines that a proved repair changes."""
    numbers = _line_numbers(read_source(text), proved.edits)
    if len(numbers) > _MAX_LINES:
        return None
    return say_plural(
        len(numbers),
        "Line {lines} is worth a look: a change there alone makes {tests} pass.",
        "Lines {lines} are worth a look: changes there alone make {tests} pass.",
        lines=", ".join(map(str, numbers)),
        tests=_tests(proved.tests),
    )


def kind_words(text: str, proved: ProvedEdits) -> Sentence | None:
    """Name the lines, and the kinds of changes."""
    place = place_words(text, proved)
    lines = [source.line for source in read_source(text)]
    kinds = list(dict.fromkeys(_kind(lines, edit) for edit in proved.edits))
    return place and say("{place} It is about {kinds}.", place=place, kinds=joined(", ", kinds))


def change_words(text: str, proved: ProvedEdits) -> Sentence | None:
    """Name the lines, and show the change in the student's own code."""
    place = place_words(text, proved)
    lines = text.splitlines(), edited_source(text, proved.edits).splitlines()
    changed = islice(unified_diff(*lines, n=0, lineterm=""), 2, None)
    diff = "\n".join(line for line in changed if not line.startswith("@@"))
    return place and say("{place}\n{diff}", place=place, diff=diff)


def _tests(tests: Sequence[str]) -> Sentence:
    if len(tests) > _MAX_TESTS:
        return say("all {count} tests that fail like this", count=len(tests))
    return say_plural(len(tests), "the test {names}", "the tests {names}", names=", ".join(tests))


def _line_numbers(sources: Sequence[SourceLine], edits: Sequence[Edit]) -> Sequence[int]:
    """Return the numbers of changed lines, and of lines after which something is added."""
    numbers: set[int] = set()
    for edit in edits:
        match edit:
            case LineEdit(start=start, end=end) if start < end:
                numbers.update(source.first for source in sources[start:end])
            case LineEdit(start=start):
                numbers.add(sources[max(start - 1, 0)].first)
            case TokenEdit(line=line) | DepthEdit(line=line):
                numbers.add(sources[line].first)
    return sorted(numbers)


def _kind(lines: Sequence[ProgramLine], edit: Edit) -> Sentence:
    match edit:
        case DepthEdit():
            return say("an indentation")
        case LineEdit(start=start, end=end, new=new) if start == end:
            return _kind_of_missing([line.tokens for line in new])
        case LineEdit(new=()):
            return say("a line too many")
        case LineEdit():
            return say("a whole line")
        case TokenEdit(line=line, start=start, end=end, new=new):
            return next(_kinds_of_tokens((*lines[line].tokens[start:end], *new)), say("an expression"))


def _kind_of_missing(lines: Sequence[tuple[str, ...]]) -> Sentence:
    first = lines[0]
    if first[0] == "return":
        return say("a missing return")
    return say("a missing call") if "(" in first and not iskeyword(first[0]) else say("a missing line")


def _kinds_of_tokens(tokens: Sequence[str]) -> Iterator[Sentence]:
    """Yield the kinds of the changed tokens, the most telling first."""
    if "(" in tokens or "[" in tokens:
        yield say("a call or an index")
    if not _COMPARISONS.isdisjoint(tokens):
        yield say("a comparison")
    if not _LOGIC.isdisjoint(tokens):
        yield say("a condition")
    if any(token[0].isdigit() for token in tokens):
        yield say("a number")
    if any(token[-1] in "\"'" for token in tokens):
        yield say("a text")
    if not _OPERATORS.isdisjoint(tokens):
        yield say("an operator")
    if any(token.isidentifier() for token in tokens):
        yield say("a name")
