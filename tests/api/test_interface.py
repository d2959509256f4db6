"""The interface in Python: what `import grader` gives, and that it can be used in a notebook."""

import asyncio
import pkgutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from threading import Event, Thread

import pytest

import grader
from grader.api.course import SeveralClassesError
from grader.errors import GraderError
from tests.audit_entries import read_entries
from tests.conftest import RIGHT, SmallCourse

WRONG = RIGHT.replace("2 *", "3 *")
OPTIONS = grader.GradeOptions(sandbox=grader.SandboxKind.NONE, jobs=2)


@pytest.fixture(autouse=True)
def in_the_course(small_course: SmallCourse, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in the course folder, as a notebook in it does."""
    monkeypatch.chdir(small_course.folder)


def test_no_name_of_the_interface_is_that_of_a_package() -> None:
    """Importing the package `grader.x` would put it in the place of a function `grader.x`."""
    assert not {module.name for module in pkgutil.iter_modules(grader.__path__)} & set(grader.__all__)


def test_every_name_is_there() -> None:
    assert grader.__all__ == sorted(grader.__all__)
    assert set(grader.__all__) <= set(dir(grader))
    for name in grader.__all__:
        assert getattr(grader, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'grades'"):
        _ = grader.grades  # type: ignore[attr-defined]


def modules_after(code: str) -> set[str]:
    """The modules that are loaded once Python has run this code."""
    command = [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


@pytest.mark.parametrize("code", ["import grader", "import grader.cli.main", "import grader.plugins.pytest.options"])
def test_nothing_heavy_is_imported_before_it_is_needed(code: str) -> None:
    assert not modules_after(code) & {"pydantic", "yaml", "rich.console", "jinja2", "grader.run", "grader.platforms"}


def test_an_unchanged_run_needs_no_reader_of_files() -> None:
    assert not modules_after("import grader.api.unchanged_run") & {"pydantic", "yaml", "jinja2", "rich.console"}


def marks(graded: grader.ClassResult) -> dict[str, str]:
    return {student.name: str(student.mark) for student in graded.students}


@pytest.mark.slow
def test_a_class_is_graded_twice_and_in_a_notebook(small_course: SmallCourse) -> None:
    small_course.hand_in("ann", RIGHT)
    small_course.hand_in("ben", WRONG)
    first = grader.grade(small_course.students, options=OPTIONS)
    assert marks(first) == {"ann": "12", "ben": "2"}
    assert first.students[0].mark
    assert first.students[0].mark.adjusted == Decimal(12)
    assert [test.verdict for test in first.students[1].tests].count(grader.Verdict.PASSED) == 1

    async def cell() -> grader.ClassResult:
        """Notebooks run a cell inside an event loop."""
        return grader.grade(str(small_course.students), course=str(small_course.folder), options=OPTIONS)

    found: list[grader.ClassResult] = []
    # In a thread of its own, because a browser test may keep an event loop in this one.
    thread = Thread(target=lambda: found.append(asyncio.run(cell())))
    thread.start()
    thread.join()
    assert marks(found[0]) == marks(first)


@pytest.mark.slow
def test_progress_and_cancelling(small_course: SmallCourse) -> None:
    for name in ("ann", "ben", "cleo"):
        small_course.hand_in(name, f"{RIGHT}# {name}\n")
    cancelled = Event()
    steps: list[tuple[str, int]] = []

    @contextmanager
    def progress(task: str, count: int) -> Iterator[Callable[[], None]]:
        steps.append((task, count))
        yield cancelled.set

    options = grader.GradeOptions(sandbox=grader.SandboxKind.NONE, jobs=1)
    graded = grader.grade(small_course.students, options=options, progress=progress, cancelled=cancelled)
    assert steps == [("Reading the tests", 0), ("Reading the submissions of doubles", 0), ("doubles", 12)]
    assert {"ben", "cleo"} <= set(graded.not_graded)
    assert marks(grader.grade(small_course.students, options=options)) == {"ann": "12", "ben": "12", "cleo": "12"}


def test_what_was_complete_when_the_work_was_cancelled_is_kept(small_course: SmallCourse) -> None:
    for name in ("ann", "ben", "cleo"):
        small_course.hand_in(name, f"{RIGHT}# {name}\n")
    cancelled = Event()
    done: list[None] = []

    def tick() -> None:
        done.append(None)
        if len(done) == 4:
            cancelled.set()

    @contextmanager
    def progress(task: str, _count: int) -> Iterator[Callable[[], None]]:
        yield tick if task == "doubles" else lambda: None

    options = grader.GradeOptions(sandbox=grader.SandboxKind.NONE, jobs=1)
    graded = grader.grade(small_course.students, options=options, progress=progress, cancelled=cancelled)
    assert marks(graded) == {"ann": "12"}
    assert set(graded.not_graded) == {"ben", "cleo"}


def test_classes_one_after_the_other(small_course: SmallCourse) -> None:
    small_course.hand_in("ann", RIGHT)
    request = grader.GradeRequest(folder=small_course.folder / "submissions", options=OPTIONS)
    assert [marks(graded) for graded in grader.grade_classes(request)] == [{"ann": "12"}]


def test_one_class_is_asked_for_and_there_are_several(small_course: SmallCourse) -> None:
    specs = small_course.folder / "test_specs"
    text = (specs / "doubles" / "assignment.yaml").read_text()
    for part in ("tests", "expected"):
        (specs / "twins" / part).mkdir(parents=True)
        for file in (specs / "doubles" / part).iterdir():
            (specs / "twins" / part / file.name).write_bytes(file.read_bytes())
    (specs / "twins" / "assignment.yaml").write_text(text.replace("id: doubles\ntitle", "id: twins\ntitle"))
    for name in ("doubles", "twins"):
        (small_course.folder / "submissions" / name / "ann").mkdir(parents=True)
    with pytest.raises(SeveralClassesError, match="more than one class \\(doubles, twins\\)"):
        grader.grade(small_course.folder / "submissions", options=OPTIONS)


@pytest.mark.slow
def test_results_and_pages_are_written_and_logged(small_course: SmallCourse) -> None:
    small_course.hand_in("ann", RIGHT)
    graded = grader.grade(small_course.students, options=OPTIONS)
    reports = small_course.folder / "reports"
    assert (grader.save_results(graded, reports).folder / "results.json").exists()
    assert grader.report(graded, reports).read_text().startswith("<!doctype html>")
    assert [entry.mark for entry in read_entries(reports / "audit.jsonl")] == ["12"]


def test_reports_that_cannot_be_written_are_not_logged(small_course: SmallCourse) -> None:
    small_course.hand_in("ann", RIGHT)
    graded = grader.grade(small_course.students, options=OPTIONS)
    reports = small_course.folder / "reports"
    (reports / "doubles").mkdir(parents=True)
    (reports / "doubles" / ".new").write_text("in the way")
    (reports / "html").write_text("in the way")
    for write in (grader.save_results, grader.report):
        with pytest.raises(GraderError, match="cannot be written"):
            write(graded, reports)
    assert not (reports / "audit.jsonl").exists()


@pytest.mark.slow
def test_a_check_and_fresh_transcripts(small_course: SmallCourse) -> None:
    checked = grader.check(small_course.hand_in("ann", WRONG), course=small_course.folder)
    assert [result.verdict for result in checked.results] == ["wrong-output", "passed"]
    assert {test.id for test in grader.load("doubles").tests} >= {"small", "at-the-prompt"}
    (found,) = grader.find_stale(course=small_course.folder)
    assert (found.count, found.findings) == (7, ())
    missing = small_course.expected / "small.wordy.txt"
    missing.unlink()
    (made,) = grader.generate(["doubles"], course=small_course.folder)
    assert [finding.file for finding in made.findings] == [missing]
    assert missing.exists()
