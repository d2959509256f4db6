"""Parses YAML into nodes and words its syntax errors for people."""

import re
from pathlib import Path

import yaml

from grader.spec.problem import Place, Problem, SpecError, quoted

_LINE_END = re.compile(r"\r\n|[\n\r\x85\u2028\u2029]")
_BAD_START = re.compile(r"found character '(.+)' that cannot start any token")


def parse(file: Path, text: str) -> yaml.Node | None:
    """The root node of `text`, which was read from `file`; None when there is nothing in it.

    Raises SpecError when it is not YAML.
    """
    try:
        loader = yaml.BaseLoader(text)
    except yaml.reader.ReaderError as error:
        message = f"the character U+{ord(text[error.position]):04X} may not stand in YAML"
        raise SpecError([Problem(place_of_offset(file, text, error.position), message)]) from None
    try:
        return loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        raise SpecError([_problem(file, error)]) from None
    except RecursionError:
        message = "lists and mappings are nested too deeply here"
    except (ValueError, OverflowError):
        # PyYAML turns escapes such as "\UFFFFFFFF" and version numbers into integers without a look at their size.
        message = "this is not valid YAML: a number in it is out of range"
    mark = loader.get_mark()
    raise SpecError([Problem(Place(file, mark.line + 1, mark.column + 1), message)])


def place_of_offset(file: Path, text: str, offset: int) -> Place:
    """Where the character at `offset` stands; lines are counted as PyYAML counts them."""
    before = text[:offset]
    ends = [end.end() for end in _LINE_END.finditer(before)]
    return Place(file, len(ends) + 1, offset - (ends[-1] if ends else 0) + 1)


def _problem(file: Path, error: yaml.MarkedYAMLError) -> Problem:
    mark = error.problem_mark or error.context_mark
    place = Place(file, mark.line + 1, mark.column + 1) if mark else Place(file, 1, 1)
    return Problem(place, _hint(error) or f"this is not valid YAML: {_said(error)}")


def _hint(error: yaml.MarkedYAMLError) -> str | None:
    """What to do about the commonest slips, which PyYAML words for those who know its inside."""
    problem = error.problem or ""
    if problem.startswith("mapping values are not allowed"):
        return "found a `:` that cannot stand here; expected quotes around a text that contains `: `, or a new line"
    match = _BAD_START.search(problem)
    if match and match[1] == "\\t":
        return "found a tab; expected spaces"
    if match:
        return f"found {quoted(match[1])} at the beginning of a text; expected quotes around the text"
    return None


def _said(error: yaml.MarkedYAMLError) -> str:
    context = error.context
    begin, end = error.context_mark, error.problem_mark
    if context and begin and end and begin.line != end.line:
        context += f" (begun in line {begin.line + 1})"
    return ", ".join(part for part in (context, error.problem) if part)
