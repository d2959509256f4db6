"""Names and further columns of a roster, from the file to reports, pages and exports."""

import csv
import json
import re
from pathlib import Path

import pytest

from tests.conftest import RIGHT, Grader, SmallCourse

ROSTER = """\
id,name,section,marker
z1,Ada Lovelace,S1,eve
z2,"Turing, Alan",S2,dan
z3,,S1,eve
"""
WRONG = RIGHT.replace("2 *", "3 *")


@pytest.fixture
def reports(small_course: SmallCourse) -> Path:
    """The reports on a class with a roster."""
    small_course.hand_in("z1", RIGHT)
    small_course.hand_in("z2", WRONG)
    small_course.hand_in("z3", WRONG)
    (small_course.students / "roster.csv").write_text(ROSTER)
    return small_course.folder / "reports"


@pytest.mark.slow
def test_names_stand_beside_logins_in_all_reports(grader: Grader, reports: Path) -> None:
    run = grader("grade", "submissions")
    assert run.returncode == 0, run.stderr
    assert "│ z2      │ Turing, Alan │" in run.stdout
    assert "further columns of roster.csv, kept for filters and exports: marker" in run.stdout
    folder = reports / "doubles"
    assert ": z2 (Turing, Alan)\n" in (folder / "students" / "z2.txt").read_text()
    assert ": z3\n" in (folder / "students" / "z3.txt").read_text()
    with (folder / "results.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["roster_section"] for row in rows] == ["S1", "S2", "S1"]
    assert [row["roster_marker"] for row in rows] == ["eve", "dan", "eve"]
    results = json.loads((folder / "results.json").read_text())
    assert results["submissions"][1]["roster"] == {"section": "S2", "marker": "dan"}


@pytest.mark.slow
def test_names_can_be_left_out_of_everything(grader: Grader, reports: Path) -> None:
    run = grader("grade", "submissions", "--hide-names")
    assert run.returncode == 0, run.stderr
    assert grader("report", "submissions", "--hide-names").returncode == 0
    files = [file.read_bytes() for file in reports.rglob("*") if file.is_file()]
    assert len(files) > 8
    assert b"z2" in b"".join(files)
    assert not any(name in file for file in (*files, run.stdout.encode()) for name in (b"Turing", b"Lovelace"))
    # The choice is a part of what the run was asked for.
    assert "Turing" in grader("grade", "submissions").stdout


TELLING_ROSTER = """\
id,name,email,section
z1,"Lovelace, Ada",countess@school.example,S1
z2,Alan Turing,enigma@school.example,S2
z3,,,S1
"""
TELLING = f"""\
# Ada Lovelace, countess@school.example, with Turing
# and ada
# lovelace
print("by Lovelace, Ada")
{WRONG}"""
EXTENSIONS = "format: 1\nextensions: [{student: z1, late_days: 1, reason: Ada Lovelace was ill}]\n"
REQUESTS = "format: 1\nrequests: [{id: 1, student: z1, request: Ada Lovelace asks Alan Turing}]\n"


@pytest.mark.slow
def test_names_are_hidden_in_all_that_is_made_of_programs_and_texts(grader: Grader, small_course: SmallCourse) -> None:
    folder = small_course.hand_in("z1", TELLING)
    (folder / "ada_lovelace.txt").write_text("notes")
    small_course.hand_in("z2", RIGHT)
    small_course.hand_in("z3", None)
    texts = {"roster.csv": TELLING_ROSTER, "extensions.yaml": EXTENSIONS, "requests.yaml": REQUESTS}
    for name, text in texts.items():
        (small_course.students / name).write_text(text)
    printed = ""
    for command in ("grade", "report"):
        run = grader(command, "submissions", "--hide-names")
        assert run.returncode == 0, run.stderr
        printed += run.stdout + run.stderr
    files = {str(file): file.read_bytes() for file in (small_course.folder / "reports").rglob("*") if file.is_file()}
    everything = {**files, "terminal": printed.encode()}
    told = [
        (name, secret)
        for name, content in everything.items()
        for secret in ("ada", "lovelace", "countess", "turing", "enigma")
        if re.search(rf"(?<![^\W_]){secret}(?![^\W_])", f"{name}\n{content.decode('utf-8', 'replace')}", re.I)
    ]
    assert told == []
    pages = b"".join(files.values()).decode("utf-8", "replace")
    assert "# z1, z1, with z2" in re.sub("<[^>]*>", "", pages)
    assert "by z1" in pages


@pytest.mark.slow
@pytest.mark.usefixtures("reports")
def test_names_that_students_are_called_by_cannot_be_hidden(grader: Grader, small_course: SmallCourse) -> None:
    (small_course.students / "roster.csv").write_text("name\nz2\n")
    run = grader("grade", "submissions", "--hide-names")
    assert run.returncode == 2
    assert "Names cannot be hidden: nothing is known of z2 but a name or an address." in run.stderr


@pytest.mark.slow
@pytest.mark.usefixtures("reports")
def test_an_export_for_each_value_of_a_column(grader: Grader, small_course: SmallCourse) -> None:
    (small_course.students / "roster.csv").write_text(f"{ROSTER}z4,Grace Hopper,,\n")
    run = grader("export", "csv", "submissions", "--by", "section")
    assert run.returncode == 0, run.stderr
    folder = small_course.folder / "exports" / "doubles"
    written = {file.parent.name: file.read_text() for file in folder.rglob("results.csv")}
    students = {name: [line.split(",")[0] for line in text.splitlines()[1:]] for name, text in written.items()}
    assert students == {"section-S1": ["z1", "z3"], "section-S2": ["z2"], "section-none": ["z4"]}


@pytest.mark.slow
@pytest.mark.usefixtures("reports")
def test_a_column_that_the_roster_does_not_have(grader: Grader) -> None:
    run = grader("export", "csv", "submissions", "--by", "tutor")
    assert run.returncode == 2
    assert "The roster of doubles has no column 'tutor'; its further columns: section, marker." in run.stderr


@pytest.mark.slow
def test_an_export_without_students_is_refused(grader: Grader, reports: Path) -> None:
    run = grader("export", "feedback", "submissions")
    assert run.returncode == 2
    assert "Nothing was written of doubles: the export would have no student in it." in run.stderr
    assert "z1: no number of Moodle's is known; give the worksheet" in run.stderr
    assert not (reports.parent / "exports").exists()
    assert not (reports / "audit.jsonl").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("reports")
def test_a_page_for_each_student_that_tells_what_students_may_see(grader: Grader, small_course: SmallCourse) -> None:
    run = grader("export", "pages", "submissions")
    assert run.returncode == 0, run.stderr
    pages = {file.name: file.read_text() for file in (small_course.folder / "exports").rglob("*.html")}
    assert set(pages) == {"z1.html", "z2.html", "z3.html"}
    page = pages["z2.html"].partition("</head>")[2]
    assert "Turing, Alan" in page
    assert "hidden test 1" in page
    assert "hidden-11" not in page
    assert '<span class="t-keyword">def</span>' in page
    assert "../" not in page


@pytest.mark.slow
def test_reports_and_exports_are_their_owners_alone(grader: Grader, small_course: SmallCourse, reports: Path) -> None:
    for command in (("grade",), ("report",), ("export", "csv")):
        assert grader(*command, "submissions").returncode == 0
    made = [reports, reports / "doubles", reports / "html", small_course.folder / "exports"]
    assert {folder.stat().st_mode & 0o777 for folder in made} == {0o700}
    assert (reports / "audit.jsonl").stat().st_mode & 0o777 == 0o600


def test_folders_that_are_there_stay_as_they_are(grader: Grader, reports: Path) -> None:
    reports.mkdir()
    reports.chmod(0o755)
    assert grader("grade", "submissions").returncode == 0
    assert reports.stat().st_mode & 0o777 == 0o755
