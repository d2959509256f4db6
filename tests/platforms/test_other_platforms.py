"""Platforms that other distributions register: one of them is used like ours, a broken one stops nothing else."""

import json
from pathlib import Path

import pytest

from tests.conftest import RIGHT, SmallCourse
from tests.test_extensions import install, run

OPTIONS = ("--assignment", "doubles", "--sandbox", "none", "--jobs", "2")
PLATFORM = """\
from grader.intake import plain_folder
from grader.intake.download_format import DownloadFormat
from grader.platforms.platform import ClassExport, ExportedFiles, Platform


def fits(entry, wanted):
    return entry.name.endswith("@school")


def write(graded, origin):
    students = [row.student for row in graded.rows]
    return ExportedFiles({"school.txt": " ".join(students).encode()}, students=frozenset(students))


def own_csv(options):
    raise AssertionError("the name is one of the grader's")


school = Platform(
    download=DownloadFormat(name="school", title="the school's own", fits=fits, read=plain_folder.read),
    exports=(
        ClassExport(name="school", about="`school.txt`", writer=lambda options: write),
        ClassExport(name="csv", about="another one", writer=own_csv),
    ),
)
"""
REGISTERED = "[grader.platforms]\na-school = greetings:school\n"
BROKEN = (
    "The plugin `a-school` of course-greetings 2.1 (greetings:school) cannot be loaded: "
    "ModuleNotFoundError: No module named 'nowhere'. Upgrade or remove course-greetings."
)


@pytest.fixture
def plugin(small_course: SmallCourse) -> Path:
    """Return a folder for the plugin, beside a class whose download names students as the plugin expects."""
    for name in ("ann@school", "ben@school"):
        small_course.hand_in(name, RIGHT)
    return small_course.folder / "installed"


@pytest.mark.slow
def test_a_download_and_an_export(plugin: Path, small_course: SmallCourse) -> None:
    install(plugin, PLATFORM, REGISTERED)
    graded = run(plugin, "grade", small_course.students, *OPTIONS, "--format", "json")
    assert {each["shape"] for each in json.loads(graded.stdout)["submissions"]} == {"school"}
    for name, file, content in (
        ("school", "school.txt", "ann@school ben@school"),
        ("csv", "results.csv", "ann@school"),
    ):
        output = plugin / file
        exported = run(plugin, "export", name, small_course.students, *OPTIONS, "--output", output)
        assert exported.returncode == 0, exported.stderr
        assert content in output.read_text()
    assert ", school" in run(plugin, "export", "--help").stdout


@pytest.mark.slow
def test_a_change_of_the_plugin_counts_at_once(plugin: Path, small_course: SmallCourse) -> None:
    shapes = []
    install(plugin, PLATFORM, REGISTERED)
    for name in ("school", "college"):
        (plugin / "greetings.py").write_text(PLATFORM.replace('"school"', f'"{name}"'))
        graded = run(plugin, "grade", small_course.students, *OPTIONS, "--format", "json")
        shapes.append({each["shape"] for each in json.loads(graded.stdout)["submissions"]})
    assert shapes == [{"school"}, {"college"}]


@pytest.mark.slow
def test_a_broken_one_stops_only_what_needs_it(plugin: Path, small_course: SmallCourse) -> None:
    install(plugin, f"import nowhere\n{PLATFORM}", REGISTERED)
    needs = run(plugin, "export", "school", small_course.students, *OPTIONS)
    assert (needs.returncode, needs.stdout) == (2, "")
    assert needs.stderr.startswith("There is no format of exports `school`; known: ")
    assert needs.stderr.endswith(f".\n{BROKEN}\n")
    # The class may be one of its downloads, so a note says that it was not looked for.
    graded = run(plugin, "grade", small_course.students, *OPTIONS, "--format", "json")
    assert graded.returncode == 0, graded.stderr
    assert BROKEN in json.loads(graded.stdout)["notes"]
    named = run(plugin, "grade", small_course.students, *OPTIONS, "--format", "json", "--download-format", "plain")
    assert BROKEN not in json.loads(named.stdout)["notes"]
