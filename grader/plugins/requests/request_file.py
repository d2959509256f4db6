"""Adds requests to requests.yaml, leaving everything that people wrote there unchanged."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from grader.config.yaml_reader import YamlDocument, document_in
from grader.errors import GraderError, SpecError, reported_as
from grader.model.regrade import RegradeRequest

_EMPTY_LIST = re.compile(r"^requests:[ \t]*\[[ \t]*\](?=[ \t]*(?:#|\n|$))", re.MULTILINE)
_ITEM = re.compile(r"^([ ]*)- ")


class RequestsNotAddedError(GraderError):
    """The layout of requests.yaml does not allow further entries, or the file cannot be written."""


class _Dumper(yaml.SafeDumper):
    """A writer of YAML that writes multi-line strings as blocks."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text)


def entries_text(requests: Sequence[RegradeRequest], indentation: str = "  ") -> str:
    """Return the requests as entries of a list."""
    entries = [_entry(request) for request in requests]
    text = yaml.dump(entries, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10_000)
    return "".join(f"{indentation}{line}" if line.strip() else line for line in text.splitlines(keepends=True))


def _entry(request: RegradeRequest) -> dict[str, Any]:
    number: int | str = int(request.id) if request.id.isdecimal() else request.id
    about = {"about": request.about} if request.about else {}
    text = request.text.encode("utf-8", "replace").decode()
    return {"id": number, "student": request.student, **about, "request": text}


def add_requests(file: Path, document: YamlDocument | None, text: str, requests: Sequence[RegradeRequest]) -> None:
    """Write the requests to the end of a file with this text (None if it does not exist).

    Raises RequestsNotAddedError, which holds the entries, if they cannot be added.
    """
    if document is None:
        added = f"format: 1\nrequests:\n{entries_text(requests)}"
    else:
        added = _added(file, document, text, requests)
    unfinished = file.with_name(f".{file.name}.unfinished")
    with reported_as(RequestsNotAddedError, f"{file} cannot be written"):
        try:
            unfinished.write_text(added, encoding="utf-8")
            unfinished.replace(file)
        finally:
            unfinished.unlink(missing_ok=True)


def _added(file: Path, document: YamlDocument, text: str, requests: Sequence[RegradeRequest]) -> str:
    opened = _EMPTY_LIST.sub("requests:", text, count=1)
    lines = [_ITEM.match(line) for line in opened.partition("requests:")[2].splitlines()]
    indentation = next((match[1] for match in lines if match), "  ")
    added = f"{opened.rstrip()}\n{entries_text(requests, indentation)}"
    before: Any = document.data
    try:
        after: Any = document_in(file, added).data
        is_right = [*before["requests"]] == after["requests"][: len(before["requests"])]
        is_right = is_right and len(after["requests"]) == len(before["requests"]) + len(requests)
    except (SpecError, TypeError, KeyError):
        is_right = False
    if not is_right:
        message = f"{file}: nothing can be added because of the way in which it is written; put this into its list:"
        raise RequestsNotAddedError(f"{message}\n{entries_text(requests)}")
    return added
