"""No export for students depends on the hidden parts of tests; tests/attacks/test_hidden_parts.py draws them."""

import io
import zipfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given

from grader.model.results import ClassResult
from grader.platforms import exports
from grader.platforms.platform import AutograderExport, DeliveryExport, ExportOptions
from grader.plugins.exporting.api import class_writer
from grader.plugins.platforms.moodle.exports import moodle_feedback
from tests.attacks.test_hidden_parts import FEW, MANY, Drawn, check_class, classes
from tests.grading.hidden_example import CLASS, ORIGIN
from tests.plugins.platforms.test_blackboard import downloaded
from tests.plugins.platforms.test_moodle import HEADER, ROWS, sheet_of

STAFF = {"csv"}
"""Exports that no student gets."""
SHEETS: Mapping[str, Callable[[Path], ExportOptions]] = {
    "moodle": lambda folder: sheet_in(folder, sheet_of(HEADER, *ROWS).to_bytes()),
    "blackboard": lambda folder: sheet_in(folder, downloaded(",").to_bytes()),
}
"""The options of exports that need some."""


def sheet_in(folder: Path, content: bytes) -> ExportOptions:
    """Return the option of a sheet with this content."""
    file = folder / "sheet.csv"
    file.write_bytes(content)
    return ExportOptions(sheet=file)


def exports_for_students(folder: Path, graded: ClassResult) -> dict[str, bytes]:
    """Return every exported file that students get of a class, by format and name."""
    files = {}
    for name, export in exports().items():
        if name in STAFF or isinstance(export, AutograderExport | DeliveryExport):
            continue
        options = SHEETS[name](folder) if name in SHEETS else ExportOptions()
        for file, content in class_writer(name, options)(graded, ORIGIN).files.items():
            files[f"{name}/{file}"] = content
    feedback = moodle_feedback(graded, sheet_of(HEADER, *ROWS)).files["feedback.zip"]
    with zipfile.ZipFile(io.BytesIO(feedback)) as archive:
        files |= {f"feedback/{name}": archive.read(name) for name in archive.namelist()}
    return files


@pytest.mark.slow
@given(classes)
@FEW
def test_nothing_for_students_has_more_of_a_hidden_test_than_is_shown(tmp_path: Path, drawn: Drawn) -> None:
    check_class(drawn, partial(exports_for_students, tmp_path))


@pytest.mark.slow
@given(classes)
@MANY
def test_nothing_for_students_of_many_classes_has_more_than_is_shown(tmp_path: Path, drawn: Drawn) -> None:
    check_class(drawn, partial(exports_for_students, tmp_path))


def test_every_export_is_tried_or_not_for_students(tmp_path: Path) -> None:
    tried = {name.partition("/")[0] for name in exports_for_students(tmp_path, CLASS)}
    made = {name for name, export in exports().items() if isinstance(export, AutograderExport | DeliveryExport)}
    assert tried == set(exports()) - STAFF - made
