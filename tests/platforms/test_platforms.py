"""The list of platforms: every folder is in it, what it declares can be loaded, and it is loaded late."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import grader.platforms
from grader.errors import GraderError
from grader.intake.download_format import PLAIN
from grader.model.option import LateFunction
from grader.platforms import DOWNLOAD_FORMATS, EXPORTS, PLATFORMS, download_format, export_format, student_export
from grader.platforms.platform import (
    AutograderExport,
    ClassExport,
    DeliveryExport,
    ExportError,
    ExportOptions,
    StudentExport,
)
from grader.platforms.shared.student_files import student_file_writer

GUIDE = Path(__file__).parents[2] / "docs" / "instructor-guide.md"


def test_every_folder_is_in_the_list() -> None:
    folder = Path(grader.platforms.__file__).parent
    names = {found.parent.name for found in folder.glob("*/__init__.py")} - {"shared"}
    declared = [import_module(f"grader.platforms.{name}").PLATFORM for name in names]
    assert {id(one) for one in declared} == {id(one) for one in PLATFORMS}
    assert len(PLATFORMS) == len(names)


def test_no_name_is_used_twice() -> None:
    assert len(EXPORTS) == sum(len(one.exports) for one in PLATFORMS)
    downloads = [one.download.name for one in PLATFORMS if one.download]
    assert len(set(downloads)) == len(downloads)
    assert {*downloads} == {PLAIN.name, *(one.name for one in DOWNLOAD_FORMATS)}


@pytest.mark.parametrize("name", EXPORTS)
def test_every_export_can_be_loaded(name: str) -> None:
    match export_format(name):
        case AutograderExport(build=LateFunction(path=path)):
            module, _, function = path.partition(":")
            assert callable(getattr(import_module(module), function))
        case StudentExport() as export:
            assert callable(student_file_writer(export, ExportOptions()))
        case DeliveryExport(planner=planner):
            with pytest.raises(ExportError, match="Say where to"):
                planner(ExportOptions())
        case ClassExport(name="moodle" | "blackboard", writer=writer):
            with pytest.raises(ExportError, match="Name the grad"):
                writer(ExportOptions())
        case ClassExport(writer=writer):
            assert callable(writer(ExportOptions()))


def test_an_unknown_name_is_refused_with_the_list() -> None:
    with pytest.raises(GraderError, match=r"no format of exports `modle`; did you mean `moodle`\?; known: .*junit"):
        export_format("modle")
    with pytest.raises(GraderError, match=r"no format of submissions `zip`; known: .*plain"):
        download_format("zip")
    with pytest.raises(GraderError, match="no platform with an autograder `moodle`"):
        student_export("moodle")


def test_gradescope_shows_hidden_tests_never_or_later() -> None:
    with pytest.raises(ExportError, match="expected one of: hidden, after_published"):
        student_export("gradescope").renderer(ExportOptions(hidden_tests="always"))


def test_the_guide_lists_every_export() -> None:
    table = GUIDE.read_text().partition("| format | what is written |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| (.+) \|$", table, re.MULTILINE)
    assert dict(rows) == {name: export.about for name, export in EXPORTS.items()}


def test_to_read_downloads_no_report_is_loaded() -> None:
    code = "import sys, grader.platforms; print({'jinja2', 'rich', 'grader.reports'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"
