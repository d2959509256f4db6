"""Measures how much people have to read, beside the limits: lines of checks and texts, printed pages and a class page.

Students of each sample assignment submit the reference without the first colon of a function, the reference with two
mistakes of `audit.yaml` that public tests show, and the unchanged reference. The class page is for 300 students, who
submit the samples of one assignment again and again. Prints a table. The exit status is 1 if a limit is broken. Run as
`python -m benchmarks.page_lengths`, with ids of assignments to measure only these.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from playwright.sync_api import ViewportSize, sync_playwright

from benchmarks.fuzz_power import ASSIGNMENTS, ROOT
from grader.config.validation import validate
from grader.config.yaml_reader import read_document
from grader.plugins.auditing.audit_file import FILE_NAME, AuditFile
from grader.spec.load import load_assignment
from tests.browser import ARGUMENTS, chromium

GRADER = Path(sys.executable).with_name("grader")
LIMITS = {
    "check, a missing colon": 30,
    "check, two mistakes": 60,
    "text, two mistakes": 120,
    "text, full marks": 25,
    "printed pages, two mistakes": 3,
    "class page, pixels": 7_000,
    "class page, pixels before what needs a person": 800,
}
_STUDENTS = 300
_SAMPLES = ROOT / "submissions" / "comp9021-25t3-a1"
_SIZE: ViewportSize = {"width": 1280, "height": 800}
_PAGE = re.compile(rb"/Type\s*/Page\b")
_COLON = re.compile(r"^(def .*):$", re.M)
_MISTAKES = 2


@dataclass(frozen=True)
class Length:
    """A length in one assignment, and its limit."""

    assignment: str
    name: str
    count: int

    @property
    def is_kept(self) -> bool:
        """Return whether the length is within its limit."""
        return self.count <= LIMITS[self.name]


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("assignments", nargs="*", default=ASSIGNMENTS, help="default: %(default)s")
    measured: list[Length] = []
    assignments = parser.parse_args().assignments
    for length in chain(*map(lengths, assignments), class_page() if assignments == ASSIGNMENTS else ()):
        print(f"{length.assignment}: {length.name}: {length.count}", file=sys.stderr, flush=True)
        measured.append(length)
    print(table(measured))
    sys.exit(not all(length.is_kept for length in measured))


def lengths(assignment: str) -> Iterator[Length]:
    """Return the lengths of an assignment; pages are only measured if Chromium is installed."""
    with tempfile.TemporaryDirectory(prefix="page-lengths-") as name:
        output, students = Path(name), Path(name) / "students"
        _hand_in(assignment, students)
        yield Length(assignment, "check, a missing colon", _lines(_check(assignment, students / "colon")))
        yield Length(assignment, "check, two mistakes", _lines(_check(assignment, students / "two")))
        for kind in ("text", "pages"):
            arguments = (
                kind,
                students,
                "--store",
                output / "store.sqlite3",
                "--output",
                output / kind,
                "--sandbox",
                "none",
            )
            _grader("export", *arguments, "--assignment", assignment, "--course", ROOT)
        for student, words in (("two", "two mistakes"), ("right", "full marks")):
            text = (output / "text" / f"{student}.txt").read_text(encoding="utf-8")
            yield Length(assignment, f"text, {words}", _lines(text))
        if chromium() is not None:
            yield Length(assignment, "printed pages, two mistakes", printed_pages(output / "pages" / "two.html"))


def class_page() -> Iterator[Length]:
    """Yield the lengths of the overview of a large class, if Chromium is installed."""
    if chromium() is None:
        return
    with tempfile.TemporaryDirectory(prefix="class-page-") as name:
        students, reports = Path(name) / _SAMPLES.name, Path(name) / "reports"
        samples = sorted(folder for folder in _SAMPLES.iterdir() if folder.is_dir())
        for number in range(_STUDENTS):
            shutil.copytree(samples[number % len(samples)], students / f"student-{number:03}")
        where = ("--assignment", _SAMPLES.name, "--course", ROOT, "--store", Path(name) / "store.sqlite3")
        _grader("report", students, *where, "--reports", reports, "--sandbox", "none")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
            page = browser.new_page(viewport=_SIZE)
            page.goto((reports / "html" / _SAMPLES.name / "index.html").as_uri())
            body = page.locator("body").bounding_box()
            first = page.get_by_role("heading", name="What needs a person").bounding_box()
            browser.close()
    assert body
    assert first
    for figure, pixels in (("pixels", body["height"]), ("pixels before what needs a person", first["y"])):
        yield Length("300 students", f"class page, {figure}", round(pixels))


def _lines(text: str) -> int:
    return len(text.splitlines())


def _check(assignment: str, path: Path) -> str:
    return _grader("check", path, "--assignment", assignment, "--course", ROOT).stdout


def _grader(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [GRADER, "--quiet", *arguments]
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)


def _hand_in(assignment: str, students: Path) -> None:
    """Write the three submissions, each with all programs of the assignment; the first program is the faulty one."""
    names = [program.file for program in load_assignment(ROOT / "test_specs" / assignment, ROOT / "reference").programs]
    names = [name for name in names if (ROOT / "reference" / name).exists()]
    for student in ("colon", "two", "right"):
        (students / student).mkdir(parents=True)
        for name in names:
            shutil.copy(ROOT / "reference" / name, students / student / name)
    colon, two = (students / student / names[0] for student in ("colon", "two"))
    colon.write_text(_COLON.sub(r"\1", colon.read_text(encoding="utf-8"), count=1), encoding="utf-8")
    _make_two_mistakes(assignment, two)


def _make_two_mistakes(assignment: str, program: Path) -> None:
    """Make the first two mistakes in the list that each fail a public test."""
    file = ROOT / "test_specs" / assignment / FILE_NAME
    right = both = program.read_text(encoding="utf-8")
    made = 0
    for mistake in validate(read_document(file), AuditFile).content.mistakes:
        if mistake.program == program.name and mistake.find in both:
            program.write_text(right.replace(mistake.find, mistake.replace), encoding="utf-8")
            if _grader("check", program, "--assignment", assignment, "--course", ROOT, "--fail-fast").returncode == 1:
                both, made = both.replace(mistake.find, mistake.replace), made + 1
        if made == _MISTAKES:
            break
    program.write_text(both, encoding="utf-8")


def printed_pages(page: Path) -> int:
    """Return the number of sheets of paper that the page fills."""
    with tempfile.TemporaryDirectory(prefix="printed-") as name:
        pdf = Path(name) / "page.pdf"
        command = [str(chromium()), *ARGUMENTS, "--no-pdf-header-footer", f"--print-to-pdf={pdf}", page.as_uri()]
        subprocess.run(command, check=True, capture_output=True)
        return len(_PAGE.findall(pdf.read_bytes()))


def table(measured: Sequence[Length]) -> str:
    """Return a table of the lengths of all assignments beside their limits."""
    assignments = list(dict.fromkeys(length.assignment for length in measured))
    counts = {(length.assignment, length.name): length.count for length in measured}
    lines = [
        "| | limit |" + "".join(f" {name} |" for name in assignments),
        "| --- |" + " --- |" * (len(assignments) + 1),
    ]
    for name, limit in LIMITS.items():
        cells = "".join(f" {counts.get((assignment, name), '')} |" for assignment in assignments)
        lines.append(f"| {name} | {limit} |{cells}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
