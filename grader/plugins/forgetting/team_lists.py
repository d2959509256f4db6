"""The members of teams in teams.yaml. The rest of the file stays unchanged."""

from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from grader.config.yaml_reader import decoded, document_in, loader_for
from grader.errors import SpecError
from grader.files.digest import read_named_file
from grader.plugins.forgetting.person import Person
from grader.plugins.forgetting.removal import ForgetError, Found, rewritten_file

FILE_NAME = "teams.yaml"
_TEAMS, _MEMBERS = "teams", "students"


def members_in(file: Path) -> Iterator[str]:
    """Yield the members of all teams. Raises SpecError if the file is not YAML."""
    for members in _member_lists(decoded(file, read_named_file(file))):
        yield from (str(node.value) for node in members.value)


def in_team_lists(file: Path, person: Person) -> Iterator[Found]:
    """Yield the removal of the student from a team; a team without other members is left for a person to check."""
    content = read_named_file(file)
    text = decoded(file, content)
    cuts: list[tuple[int, int]] = []
    number = 0
    for members in _member_lists(text):
        number += len(members.value)
        places = [index for index, node in enumerate(members.value) if person.is_named_in(str(node.value))]
        if places and len(places) < len(members.value):
            cuts += [_member_range(text, members, index) for index in places]
    if not cuts:
        return
    after = text
    for start, end in sorted(cuts, reverse=True):
        after = after[:start] + after[end:]
    expected = [name for name in members_in(file) if not person.is_named_in(name)]
    if not _has_members(file, after, expected):
        raise ForgetError(f"{file}: the members of a team share lines with other data; take them out by hand.")
    mark = BOM_UTF8 if content.startswith(BOM_UTF8) else b""
    yield rewritten_file(file, f"{len(cuts)} of {number} members", content, mark + after.encode())


def _member_lists(text: str) -> list[yaml.SequenceNode]:
    """Return the parsed lists of members."""
    document: Any = yaml.compose(text, Loader=loader_for(text))
    teams: Any = next((value.value for key, value in document.value if key.value == _TEAMS), [])
    return [value for team in teams for key, value in team.value if key.value == _MEMBERS]


def _member_range(text: str, members: yaml.SequenceNode, index: int) -> tuple[int, int]:
    """Return the part of the text with one member: its line, or up to the next or previous member in brackets."""
    node = members.value[index]
    start, end = node.start_mark.index, node.end_mark.index
    if not members.flow_style:
        line_end = text.find("\n", end)
        return text.rfind("\n", 0, start) + 1, len(text) if line_end < 0 else line_end + 1
    if index + 1 < len(members.value):
        return start, members.value[index + 1].start_mark.index
    return members.value[index - 1].end_mark.index, end


def _has_members(file: Path, text: str, expected: Sequence[str]) -> bool:
    """Return whether a string is YAML with these members."""
    try:
        document_in(file, text)
    except SpecError:
        return False
    return [str(node.value) for members in _member_lists(text) for node in members.value] == list(expected)
