"""Validation: known keys are found wherever a model lies, and every problem is told."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import pytest
from pydantic import AfterValidator, Field

from grader.config.validation import AT_LEAST_ONE, SpecModel, validate
from grader.config.yaml_reader import YamlDocument, read_document
from grader.errors import SpecError, unexpected


class Shape(StrEnum):
    ROUND = "round"


class Leaf(SpecModel):
    colour: str = ""
    lobes: int = 0
    shape: Shape = Shape.ROUND


class Tree(SpecModel):
    first: Leaf | None = None
    leaves: Annotated[tuple[Leaf, ...], AT_LEAST_ONE] | None = None
    named: Annotated[dict[str, Leaf], Field(alias="by-name", default_factory=dict)]
    height: Annotated[float, Field(le=1.5)] = 0.0


def document(folder: Path, content: str) -> YamlDocument:
    file = folder / "file.yaml"
    file.write_text(content)
    return read_document(file)


def faults(folder: Path, content: str, model: type[SpecModel] = Tree) -> list[str]:
    with pytest.raises(SpecError) as caught:
        validate(document(folder, content), model)
    return str(caught.value).replace(f"{folder}/file.yaml:", "").splitlines()


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ("first: {color: red}", "1:9"),
        ("leaves:\n  - lobes: 1\n  - color: red", "3:5"),
        ("by-name:\n  oak: {lobes: 3}\n  elm:\n    color: red", "4:5"),
    ],
)
def test_an_unknown_key_suggests_one_of_the_mapping_it_is_in(content: str, place: str, tmp_path: Path) -> None:
    assert faults(tmp_path, content) == [f"{place}: unknown key `color`; did you mean `colour`?"]


def test_an_unknown_key_like_no_other_lists_the_keys_as_the_file_names_them(tmp_path: Path) -> None:
    assert faults(tmp_path, "x: 1") == ["1:1: unknown key `x`; expected one of: by-name, first, height, leaves"]
    assert faults(tmp_path, "named: 1") == ["1:1: unknown key `named`; did you mean `by-name`?"]


def test_all_problems_are_told_in_the_order_of_the_file(tmp_path: Path) -> None:
    said = faults(tmp_path, "by-name: {elm: {lobes: two}}\nleaves: [{lobes: []}, 3]\nheight: 2\nfirst: [a]\n")
    assert said == [
        "1:24: found `two`; expected a whole number",
        "2:18: found an empty list; expected a whole number",
        "2:23: found `3`; expected a mapping (key: value)",
        "3:9: found `2`; expected at most 1.5",
        "4:8: found a list; expected a mapping (key: value)",
    ]


def test_a_list_whose_only_item_is_faulty_is_not_called_empty(tmp_path: Path) -> None:
    assert faults(tmp_path, "leaves: [{lobes: x}]") == ["1:18: found `x`; expected a whole number"]
    assert faults(tmp_path, "leaves: []") == ["1:9: found an empty list; expected at least one item"]


def test_a_choice_lists_what_there_is(tmp_path: Path) -> None:
    assert faults(tmp_path, "first: {shape: square}") == ["1:16: found `square`; expected `round`"]


def test_the_validators_own_words_are_used(tmp_path: Path) -> None:
    def even(number: int) -> int:
        if number % 2:
            raise unexpected(number, "an even number {in braces}")
        return number

    class Even(SpecModel):
        number: Annotated[int, AfterValidator(even)]

    assert validate(document(tmp_path, "number: 4"), Even).content.number == 4
    assert faults(tmp_path, "number: 3", Even) == ["1:9: found `3`; expected an even number {in braces}"]


def test_good_content_becomes_the_model(tmp_path: Path) -> None:
    tree = validate(document(tmp_path, "first: {colour: 01, lobes: 3}\nby-name: {elm: {}}\n"), Tree).content
    assert tree.first == Leaf(colour="01", lobes=3)
    assert tree.named == {"elm": Leaf()}
