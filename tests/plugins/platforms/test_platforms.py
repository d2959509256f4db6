"""The platforms of the grader: each is registered, its exports can be loaded, and they are loaded late."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import grader.plugins.platforms
from grader.errors import GraderError
from grader.extensions import PLATFORMS, extensions
from grader.model.option import LateFunction
from grader.platforms import download_format, downloads, exports, installed_platforms
from grader.platforms.platform import (
    AutograderExport,
    ClassExport,
    DeliveryExport,
    ExportError,
    ExportOptions,
    StudentExport,
)
from grader.plugins.exporting.formats import export_format, student_export
from tests import ROOT

OTHERS = {"grader.plugins.requests.export:PLATFORM", "grader.plugins.web.export:PLATFORM"}
PAGE = ROOT / "docs" / "reference" / "platforms.md"


def test_every_folder_is_registered() -> None:
    folder = Path(str(grader.plugins.platforms.__file__)).parent
    names = {file.parent.name for file in folder.glob("*/__init__.py")} - {"shared"}
    places = {extension.place for extension in extensions(PLATFORMS).values()}
    assert places == {f"grader.plugins.platforms.{name}:PLATFORM" for name in names} | OTHERS
    assert installed_platforms().broken == ()


def test_no_name_is_used_twice() -> None:
    platforms = installed_platforms().objects.values()
    assert len(exports()) == sum(len(platform.exports) for platform in platforms)
    assert len(downloads()) == 1 + sum(platform.download is not None for platform in platforms)


@pytest.mark.parametrize("name", exports())
def test_every_export_can_be_loaded(name: str) -> None:
    match export_format(name):
        case AutograderExport(build=build):
            assert callable(loaded(build))
        case StudentExport(renderer=renderer):
            assert callable(loaded(renderer(ExportOptions())))
        case DeliveryExport(planner=planner):
            with pytest.raises(ExportError, match="Say where to"):
                planner(ExportOptions())
        case ClassExport(name="moodle" | "blackboard", writer=writer):
            with pytest.raises(ExportError, match="Name the grad"):
                writer(ExportOptions())
        case ClassExport(writer=writer):
            assert callable(loaded(writer(ExportOptions())))


def loaded(function: object) -> object:
    """Import a function that is imported when it is called."""
    if not isinstance(function, LateFunction):
        return function
    module, _, name = function.path.partition(":")
    return getattr(import_module(module), name)


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


def test_the_page_lists_every_export() -> None:
    table = PAGE.read_text().partition("| format | output |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| (.+) \|$", table, re.MULTILINE)
    assert dict(rows) == {name: export.about for name, export in exports().items()}


@pytest.mark.slow
def test_to_read_downloads_no_report_is_loaded() -> None:
    code = "import sys, grader.platforms; grader.platforms.recognised_formats()\n"
    code += "print({'jinja2', 'rich', 'grader.reports'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"
