"""The package of docs/reference/plugins.md, installed beside the grader with pip: each of its plugins is used."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from grader.extensions import installed_extensions
from grader.installation import DISTRIBUTION
from tests import ROOT
from tests.conftest import RIGHT, SmallCourse

PERL = """\
sub twice { print "twice\\n"; return 2 * $_[0] }
unless (caller) { $| = 1; print "Number: "; my $number = <STDIN>; print "Double: ", 2 * $number, "\\n"; }
1;
"""
WRONG = RIGHT.replace("2 *", "3 *")
DOCUMENT = (ROOT / "docs" / "reference" / "plugins.md").read_text(encoding="utf-8")
FILE = re.compile(r"^```\w+ file=(?P<name>\S+)\n(?P<content>.*?)^```$", re.M | re.S)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the package of the document into a folder of its own."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("installed")
    for file in FILE.finditer(DOCUMENT):
        (source / file["name"]).write_text(file["content"])
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "-qq"]
    # The tools that build it are those of this environment, so that no network is needed.
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", "--target", target, source], check=True)
    return target


def run(installed: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the grader beside the installed package."""
    command = [sys.executable, "-m", "grader", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_rule_of_the_document(installed: Path, small_course: SmallCourse) -> None:
    assignment = small_course.folder / "test_specs" / "doubles" / "assignment.yaml"
    rule = "rules:\n  - {id: loops, title: loops instead, rule: no-recursion, program: double.py}\n"
    assignment.write_text(assignment.read_text() + rule)
    recursion = "\n\ndef count(number):\n    return number and count(number - 1)\n"
    program = small_course.hand_in("ada", RIGHT + recursion)
    check = run(installed, "check", program, "--course", small_course.folder)
    assert ": count() calls itself: return number and count(number - 1)\n" in check.stdout


@pytest.mark.slow
def test_the_command_of_the_document(installed: Path, small_course: SmallCourse) -> None:
    texts = small_course.reports / "students"
    texts.mkdir(parents=True)
    (texts / "ann.txt").write_text("Well done.")
    (texts / "ben.txt").write_text("Not yet: see below.")
    runs = [run(installed, "longest", folder) for folder in (small_course.reports, small_course.students)]
    assert [(run.returncode, run.stdout) for run in runs] == [(0, "ben\n"), (2, "")]


@pytest.mark.slow
def test_the_platform_of_the_document(installed: Path, small_course: SmallCourse) -> None:
    download = small_course.folder / "download"
    download.mkdir()
    for login, time, text in (
        ("ada", "20251020T123045", WRONG),
        ("ada", "20251021T123045", RIGHT),
        ("grace", "20251028T120000", RIGHT),
    ):
        (download / f"{login}_{time}_double.py").write_text(text)
    (download / "readme.txt").write_text("Downloaded today.")
    options = ("--assignment", "doubles", "--course", small_course.folder, "--sandbox", "none", "--jobs", "2")
    graded = run(installed, "grade", download, *options, "--format", "json")
    assert graded.returncode == 0, graded.stderr
    report = json.loads(graded.stdout)
    assert "readme.txt is passed over: the server does not name files so" in report["notes"]
    students = {each["student"]: each for each in report["submissions"]}
    assert {name: (each["shape"], each["time_source"]) for name, each in students.items()} == {
        "ada": ("handin", "hand-in server"),
        "grace": ("handin", "hand-in server"),
    }
    assert students["ada"]["submitted"] == "2025-10-21T12:30:45+11:00"
    exported = run(installed, "export", "handin", download, *options, "--output", small_course.folder / "marks.txt")
    assert exported.returncode == 0, exported.stderr
    marks = {name: each["mark"]["adjusted"] for name, each in students.items()}
    assert (small_course.folder / "marks.txt").read_text() == f"ada {marks['ada']}\ngrace {marks['grace']}\n"
    assert float(marks["ada"]) > float(marks["grace"])


@pytest.mark.slow
def test_the_late_policy_of_the_document(installed: Path, small_course: SmallCourse) -> None:
    small_course.hand_in("ada", RIGHT, submitted="2025-10-27 13:30")
    file = small_course.folder / "test_specs" / "doubles" / "assignment.yaml"
    falling_cap = "late: {policy: falling-cap, percent_per_day: 10, max_days_late: 3}"
    text = file.read_text()
    assert falling_cap in text
    grade = ("grade", small_course.students, "--course", small_course.folder, "--sandbox", "none", "--format", "json")

    def graded_with(policy: str) -> subprocess.CompletedProcess[str]:
        file.write_text(text.replace(falling_cap, f"late: {{{policy}}}"))
        return run(installed, *grade)

    graded = graded_with("policy: share-per-hour, percent: 5")
    assert graded.returncode == 0, graded.stderr
    (entry,) = json.loads(graded.stdout)["submissions"]
    assert entry["mark"]["late_hours"] == 2
    assert float(entry["mark"]["adjusted"]) == float(entry["points"]) * 0.9
    assert "found `101`; expected at most 100" in graded_with("policy: share-per-hour, percent: 101").stderr
    unknown = graded_with("policy: percent-per-minute").stderr
    assert "share-per-hour" in unknown
    assert "points-per-hour" in unknown
    assert '"share-per-hour"' in run(installed, "schema", "assignment").stdout


@pytest.mark.slow
def test_the_format_of_the_document(installed: Path, small_course: SmallCourse) -> None:
    program = small_course.hand_in("ada", WRONG) / "double.py"
    options = ("--assignment", "doubles", "--course", small_course.folder, "--sandbox", "none", "--format", "sarif")
    graded = run(installed, "grade", small_course.students, *options)
    assert graded.returncode == 0, graded.stderr
    assert "ada, small: " in json.loads(graded.stdout)["runs"][0]["results"][0]["message"]["text"]
    checked = run(installed, "check", program, "--course", small_course.folder, "--format", "sarif")
    assert checked.returncode == 1, checked.stderr
    assert json.loads(checked.stdout)["version"] == "2.1.0"
    assert "text, json, github, sarif" in run(installed, "check", "--help").stdout


@pytest.mark.slow
def test_the_step_of_the_document(installed: Path, small_course: SmallCourse) -> None:
    small_course.hand_in("ada", f"# TODO: a docstring\n{RIGHT}")
    options = ("--course", small_course.folder, "--sandbox", "none", "--todos")
    graded = run(installed, "grade", small_course.students, *options, "--format", "json")
    assert graded.returncode == 0, graded.stderr
    assert json.loads(graded.stdout)["submissions"][0]["todos"] == ["double.py:1"]
    reported = run(installed, "report", small_course.students, *options, "--reports", small_course.reports)
    assert reported.returncode == 0, reported.stderr
    page = small_course.reports / "html" / "doubles" / "students" / "ada.html"
    assert '<p class="remark rule"><a href="#code">To be done</a></p>' in page.read_text()
    assert "--todos" in run(installed, "serve", "--help").stdout


@pytest.mark.slow
def test_an_autograder_carries_the_package(installed: Path, small_course: SmallCourse) -> None:
    folder = small_course.folder / "upload"
    options = ("--course", small_course.folder, "--output", folder)
    exported = run(installed, "export", "gradescope-autograder", "doubles", *options)
    assert exported.returncode == 0, exported.stderr
    with zipfile.ZipFile(folder / "autograder.zip") as archive:
        names = set(archive.namelist())
        points = archive.read("lib/grader_longest-1.0.dist-info/entry_points.txt").decode()
    assert {"lib/grader_longest.py", "lib/grader_sarif.py"} <= names
    assert "sarif = grader_sarif:SARIF" in points


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("perl"), reason="needs Perl")
def test_the_language_of_the_document(installed: Path, small_course: SmallCourse) -> None:
    spec = small_course.folder / "test_specs" / "doubles"
    for file in (spec / "assignment.yaml", spec / "tests" / "double.yaml"):
        file.write_text(file.read_text().replace("double.py", "double.pl").replace("points: 4", "points: 3"))
    (small_course.folder / "reference" / "double.pl").write_text(PERL)
    with (spec / "tests" / "double.yaml").open("a") as added:
        added.write('  - {id: call, visibility: public, points: 1, call: twice(21), returns: 42, prints: "twice\\n"}\n')
    (small_course.students / "ada").mkdir(parents=True)
    program = small_course.students / "ada" / "double.pl"
    program.write_text(PERL)
    checked = run(installed, "check", program, "--course", small_course.folder)
    assert checked.stdout.count("  passed ") == 2, checked.stdout + checked.stderr


@pytest.mark.slow
def test_the_check_of_the_document(installed: Path, small_course: SmallCourse) -> None:
    spec = small_course.folder / "test_specs" / "doubles" / "tests" / "double.yaml"
    text = spec.read_text().replace("points: 4", "points: 3")
    check = "{id: ordered-$last, for: {last: [5, 7]}, visibility: public, points: 0.5, input: [$last]"

    def checked_with(options: str) -> subprocess.CompletedProcess[str]:
        spec.write_text(f"{text}  - {check}, expect: [{{check: ascending{options}}}]}}\n")
        return run(installed, "check", program, "--course", small_course.folder)

    source = "number = input()\nprint(5)\nprint(number)\n"
    program = small_course.hand_in("ada", source) / "double.py"
    (small_course.folder / "reference" / "double.py").write_text(source)
    assert checked_with("").stdout.count("  passed ") >= 2
    strict = checked_with(", strictly: true").stdout
    assert "The output has 5 after 5." in strict
    assert "has 5 after 7" not in strict
    assert "found `twice`" in checked_with(", strictly: twice").stderr
    assert "found `ascendingx`; expected one of `ascending`" in checked_with("x").stderr
    checked_with("")
    bundled = run(
        installed, "bundle", "doubles", "--course", small_course.folder, "--output", small_course.folder / "b"
    )
    assert bundled.returncode == 0, bundled.stderr


def test_the_document_lists_the_groups_of_our_own_plugins() -> None:
    assert {extension.group for extension in installed_extensions() if extension.distribution == DISTRIBUTION} <= set(
        re.findall(r"^\| `(grader\.\w+)` \|", DOCUMENT, re.M)
    )
