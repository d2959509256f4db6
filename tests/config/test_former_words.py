"""Words of earlier versions are read as the present ones, and each is noted where it stands."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import pytest
from pydantic import Field

from grader.config.json_schema import json_schema
from grader.config.validation import SpecModel, Validated, validate
from grader.config.yaml_reader import read_document
from grader.errors import SpecError
from grader.model.option import FormerKey, FormerValue


class Isolation(StrEnum):
    FORK = "fork"
    PROCESS = "process"


IsolationWord = Annotated[Isolation, FormerValue("prepared", Isolation.FORK)]


@dataclass(frozen=True)
class Penalty:
    max_days: Annotated[int, FormerKey("days")]
    points: int = 0


class Entry(SpecModel):
    variables: Annotated[dict[str, object] | None, FormerKey("given"), FormerKey("values")] = None
    isolation: IsolationWord | None = None
    several: tuple[IsolationWord, ...] = ()
    loop: Annotated[str, Field(alias="for"), FormerKey("repeat")] = ""


class File(SpecModel):
    tests: Annotated[tuple[Entry, ...], FormerKey("entries")] = ()
    named: Annotated[dict[str, Entry], Field(default_factory=dict)]
    late: Penalty | None = None


def read(folder: Path, content: str) -> Validated[File]:
    file = folder / "file.yaml"
    file.write_text(content)
    return validate(read_document(file), File)


def notes(folder: Path, content: str) -> list[str]:
    return [str(note).replace(f"{folder}/", "") for note in read(folder, content).notes]


@pytest.mark.parametrize(
    ("former", "present", "note"),
    [
        ("tests: [{given: {a: 1}}]", "tests: [{variables: {a: 1}}]", "1:10: the key `given` is called `variables` now"),
        ("tests: [{values: {}}]", "tests: [{variables: {}}]", "1:10: the key `values` is called `variables` now"),
        ("tests: [{repeat: a}]", "tests: [{for: a}]", "1:10: the key `repeat` is called `for` now"),
        ("entries: [{for: a}]", "tests: [{for: a}]", "1:1: the key `entries` is called `tests` now"),
        (
            "named: {given: {given: {}}}",
            "named: {given: {variables: {}}}",
            "1:17: the key `given` is called `variables` now",
        ),
        ("late: {days: 3}", "late: {max_days: 3}", "1:8: the key `days` is called `max_days` now"),
        ("tests: [{isolation: prepared}]", "tests: [{isolation: fork}]", "1:21: `prepared` is called `fork` now"),
        (
            "tests: [{several: [process, prepared]}]",
            "tests: [{several: [process, fork]}]",
            "1:29: `prepared` is called `fork` now",
        ),
    ],
)
def test_a_former_word_is_read_as_the_present_one_and_noted(
    tmp_path: Path, former: str, present: str, note: str
) -> None:
    assert read(tmp_path, former).content == read(tmp_path, present).content
    assert notes(tmp_path, former) == [f"file.yaml:{note}"]
    assert notes(tmp_path, present) == []


def test_a_word_is_noted_once_in_a_file(tmp_path: Path) -> None:
    content = "tests:\n- given: {}\n- given: {}\n- given: {}\n"
    assert notes(tmp_path, content) == [
        "file.yaml:2:3: the key `given` is called `variables` now (found 3 times in this file)"
    ]


def test_what_an_author_names_is_no_former_word(tmp_path: Path) -> None:
    found = read(tmp_path, "tests: [{variables: {given: prepared}}]\nnamed: {entries: {for: prepared}}\n")
    assert found.content.tests[0].variables == {"given": "prepared"}
    assert found.content.named["entries"].loop == "prepared"
    assert not found.notes


def test_the_document_has_the_present_keys_at_the_places_of_the_former_ones(tmp_path: Path) -> None:
    found = read(tmp_path, "entries:\n- isolation: process\n- given:\n    a: 1\n")
    assert found.document.data == {"tests": [{"isolation": "process"}, {"variables": {"a": "1"}}]}
    assert found.document.place(("tests", 1, "variables", "a")).line == 4
    assert found.document.key_place(("tests", 1, "variables")).line == 3


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("entries:\n- given: 3\n", "2:10: found `3`; expected a mapping (key: value)"),
        ("entries:\n- gives: 3\n", "2:3: unknown key `gives`; expected one of: for, isolation, several, variables"),
        (
            "tests:\n- given: {}\n  variables: {}\n",
            "2:3: found `given` and `variables`, which is its name now; expected `variables` alone",
        ),
        (
            "tests:\n- given: {}\n  values: {}\n",
            "3:3: found `values` and `variables`, which is its name now; expected `variables` alone",
        ),
    ],
)
def test_faults_stand_where_the_former_word_stands(tmp_path: Path, content: str, fault: str) -> None:
    with pytest.raises(SpecError) as caught:
        read(tmp_path, content)
    assert str(caught.value) == f"{tmp_path}/file.yaml:{fault}"


def test_schemas_know_the_present_words_alone() -> None:
    schema = json_schema(File)
    assert '"variables"' in schema
    assert '"max_days"' in schema
    assert not any(word in schema for word in ("given", "entries", "prepared", '"days"'))
