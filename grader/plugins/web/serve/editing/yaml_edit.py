"""Changes single values in a YAML file written by hand; comments, order and layout of everything else stay the same.

An edit replaces a piece of the text. The result is then read again: it must contain the requested change and no other
change, and every comment of the original. An edit that cannot be made this way is refused, and the author must change
the file by hand.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

import yaml

from grader.config.yaml_reader import KeyPath, YamlData, document_in, loader_for
from grader.errors import GraderError, SpecError
from grader.plugins.web.serve.editing import yaml_splice
from grader.plugins.web.serve.editing.yaml_flow import block_item
from grader.plugins.web.serve.editing.yaml_text import comments_in, yaml_text

_Step = TypeVar("_Step", str, int)


class YamlEditError(GraderError):
    """The layout of a file cannot be edited here."""


@dataclass(frozen=True)
class PutValue:
    """Set the value at `steps`; a missing key is added to its mapping, and an index past the end to its list."""

    steps: KeyPath
    value: YamlData


@dataclass(frozen=True)
class DropValue:
    """Remove the key or item at `steps` with its value. Comments in the removed text stay."""

    steps: KeyPath


YamlEdit: TypeAlias = PutValue | DropValue


def edited(file: Path, text: str, edits: Sequence[YamlEdit]) -> str:
    """Apply all `edits`, one after the other, to `text`, which was read from `file`.

    Raises SpecError if the text is faulty and YamlEditError if its layout cannot be edited here.
    """
    for edit in edits:
        before = document_in(file, text)
        expected = _applied(before.data, edit.steps, edit)
        result = next(
            (attempt for attempt in _attempts(text, edit) if _is_as_expected(file, text, attempt, expected)), None
        )
        if result is None:
            raise YamlEditError(
                f"{before.place(edit.steps)}: this cannot be changed here because of the way in which it is written "
                "(perhaps an anchor, an alias or a tag); change it in the file by hand."
            )
        text = result
    return text


def _applied(data: YamlData, steps: KeyPath, edit: YamlEdit) -> YamlData:
    """Return the data that the file should hold after the edit. Raises LookupError if nothing is at `steps`."""
    step, *rest = steps
    if isinstance(data, dict):
        return _changed(data, str(step), tuple(rest), edit)
    items = dict(enumerate(data)) if isinstance(data, list) else {}
    return list(_changed(items, int(step), tuple(rest), edit).values())


def _changed(data: Mapping[_Step, YamlData], step: _Step, rest: KeyPath, edit: YamlEdit) -> dict[_Step, YamlData]:
    if rest:
        return {**data, step: _applied(data[step], rest, edit)}
    if isinstance(edit, PutValue):
        return {**data, step: edit.value}
    return {key: value for key, value in data.items() if key != step}


def _attempts(text: str, edit: YamlEdit) -> Iterator[str]:
    """Yield the edited text in several layouts, the best first."""
    *outer, last = edit.steps
    for loader in dict.fromkeys((loader_for(text), yaml.BaseLoader)):
        root = yaml_text(text, loader)
        container = yaml_splice.inside(root, tuple(outer))
        old = yaml_splice.inside(container, (last,)) if container else None
        if isinstance(edit, DropValue):
            candidates = [yaml_splice.without(text, root, container, last)] if container else []
        elif container and old:
            candidates = [
                write(text, container, old, edit.value) for write in (yaml_splice.as_lines, yaml_splice.on_one_line)
            ]
        else:
            # The best-looking layout comes first.
            additions = yaml_splice.added_below, yaml_splice.added_in_brackets, yaml_splice.added_above
            candidates = [add(text, container, last, edit.value) for add in additions] if container else []
        yield from (candidate for candidate in candidates if candidate is not None)


def _is_as_expected(file: Path, before: str, after: str, expected: YamlData) -> bool:
    try:
        return document_in(file, after).data == expected and _keeps_comments(before, after)
    except SpecError:
        return False


def _keeps_comments(before: str, after: str) -> bool:
    """Return whether the comments of `before` are all in `after`, in the same order."""
    comments = iter(_comments(after))
    return all(comment in comments for comment in _comments(before))


def _comments(text: str) -> list[str]:
    return [comment.rstrip() for comment in comments_in(text, yaml_text(text, loader_for(text)))]


def yaml_file(key: str, entry: Mapping[str, YamlData]) -> str:
    """Return a new file of format 1 with one entry in its list, called `key`."""
    return f"format: 1\n{key}:\n{block_item(dict(entry), '  ')}\n"
