"""Files about a class under names that are not read: none is passed over in silence."""

from pathlib import Path

import pytest

from grader.api.request import GradeOptions
from grader.class_files.all_files import read_class_files, read_class_roster
from grader.errors import SpecError
from tests.class_files.test_overrides import ASSIGNMENT

SLIPS = [
    ("extensions.yml", "extensions.yaml or extensions.csv"),
    ("Extensions.yaml", "extensions.yaml or extensions.csv"),
    ("extension.csv", "extensions.yaml or extensions.csv"),
    ("extensions.CSV", "extensions.yaml or extensions.csv"),
    ("extensions (1).csv", "extensions.yaml or extensions.csv"),
    ("extensions.csv.txt", "extensions.yaml or extensions.csv"),
    ("overrides - Copy.csv", "overrides.yaml or overrides.csv"),
    ("overrides copy 2.yaml", "overrides.yaml or overrides.csv"),
    ("marks.yml", "marks.yaml or marks.csv"),
    ("comments.yml", "comments.yaml"),
    ("Requests.yaml", "requests.yaml"),
    ("roster.yml", "roster.yaml or roster.csv"),
]


def read_all(folder: Path, options: GradeOptions) -> None:
    read_class_roster(options, folder)
    read_class_files(options, folder, ASSIGNMENT, ["ann"])


@pytest.mark.parametrize(("name", "expected"), SLIPS)
def test_a_file_under_a_similar_name_is_refused(name: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("")
    with pytest.raises(SpecError) as caught:
        read_all(tmp_path, GradeOptions())
    [problem] = caught.value.problems
    assert str(problem) == f"{tmp_path / name}:1:1: a file of this name is not read; expected {expected}"


@pytest.mark.parametrize("name", ["extensions_add.py", "extensions-old.yaml", "my marks.csv", "extensions.py", "x.yml"])
def test_other_files_are_not_meant(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("")
    read_all(tmp_path, GradeOptions())


def test_a_folder_and_a_file_beside_a_named_one_are_not_meant(tmp_path: Path) -> None:
    (tmp_path / "extensions.yml").write_text("format: 1\nextensions:\n  - {student: ann, waive: true}\n")
    (tmp_path / "roster.yml").mkdir()
    read_all(tmp_path, GradeOptions(extensions=tmp_path / "extensions.yml"))
