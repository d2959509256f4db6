"""Assignments are remembered as they were loaded, until something changes; what cannot be trusted is loaded again."""

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from grader.api.check import prepare_check
from grader.errors import SpecError
from grader.files.digest import content_digest
from grader.model.assignment import Assignment
from grader.selfcheck import remembered
from grader.selfcheck.remembered import remembered_assignment
from grader.spec.course import Course, load_now
from tests.conftest import RIGHT, SmallCourse

COURSE = Path(__file__).parents[2]


def spec_of(course: SmallCourse) -> Path:
    return course.folder / "test_specs" / "doubles"


class Loader:
    """Loads the assignment of a small course, and counts how often."""

    def __init__(self, course: SmallCourse) -> None:
        self.folder = spec_of(course)
        self.beside = (course.folder / "reference", course.folder / "checkers")
        self.times = 0

    def __call__(self) -> Assignment:
        return remembered_assignment(self.folder, self.beside, self._load)

    def _load(self) -> Assignment:
        self.times += 1
        return load_now(self.folder, self.beside[0])


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    return tmp_path / "caches" / "grader" / "assignments"


@pytest.fixture
def load(small_course: SmallCourse, cache: Path) -> Loader:
    assert not cache.exists()
    return Loader(small_course)


def test_what_has_not_changed_is_loaded_once(load: Loader) -> None:
    first = load()
    assert load() == first == load_now(load.folder, load.beside[0])
    assert load.times == 1


@pytest.mark.parametrize("name", Course(COURSE).assignment_ids())
def test_real_assignments_come_back_as_they_were(name: str, cache: Path) -> None:
    course = Course(COURSE)
    loaded = course.assignment(name)
    for _ in range(2):
        assert remembered_assignment(course.specs / name, (), partial(course.assignment, name)) == loaded
    assert len(list(cache.iterdir())) == 1


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    times = file.stat().st_atime_ns, file.stat().st_mtime_ns
    file.write_text(text.replace(old, new))
    os.utime(file, ns=times)


CHANGES: dict[str, Callable[[SmallCourse], object]] = {
    "a test, with the same length and time": lambda course: edit(
        spec_of(course) / "tests" / "triple.yaml", "show(5)", "show(6)"
    ),
    "a new file of tests": lambda course: (spec_of(course) / "tests" / "more.yaml").write_text("tests: []\n"),
    "a reference": lambda course: (course.folder / "reference" / "more.py").write_text("\n"),
    "a checker": lambda course: course.judge_by("passed()"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_is_seen(change: Callable[[SmallCourse], object], load: Loader, small_course: SmallCourse) -> None:
    load()
    change(small_course)
    with suppress(SpecError):
        assert load() == load_now(load.folder, load.beside[0])
    assert load.times == 2


def test_another_grader_loads_again(load: Loader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load()
    monkeypatch.setattr(remembered, "__file__", str(tmp_path / "grader" / "selfcheck" / "remembered.py"))
    load()
    assert load.times == 2


def test_a_faulty_assignment_is_told_every_time(load: Loader) -> None:
    load()
    edit(load.folder / "assignment.yaml", "id:", "ID:")
    for _ in range(2):
        with pytest.raises(SpecError):
            load()
    edit(load.folder / "assignment.yaml", "ID:", "id:")
    load()


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "nothing in it": lambda _: b"",
    "cut": lambda content: content[:-1],
    "another byte": lambda content: content[:-10] + b"?" + content[-9:],
    "no assignment": lambda content: b"\n".join((content.split(b"\n")[0], content_digest(b"N.").encode(), b"N.")),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_not_used(damage: Callable[[bytes], bytes], load: Loader, cache: Path) -> None:
    first = load()
    [file] = cache.iterdir()
    file.write_bytes(damage(file.read_bytes()))
    assert load() == first
    assert load.times == 2
    assert load() == first
    assert load.times == 2


def test_a_file_that_others_could_have_written_is_not_used(
    load: Loader, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load()
    [file] = cache.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o620)
    load()
    assert load.times == 2
    monkeypatch.setattr(os, "geteuid", lambda: file.stat().st_uid + 1)
    load()
    assert load.times == 3


def test_where_nothing_can_be_remembered_it_is_loaded(
    load: Loader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert load() == load()
    assert load.times == 2


def test_a_link_cannot_be_traced_and_is_loaded(load: Loader, cache: Path) -> None:
    (load.folder / "link").symlink_to(load.folder / "assignment.yaml")
    load()
    load()
    assert load.times == 2
    assert not cache.exists()


def test_only_the_newest_are_kept(load: Loader, cache: Path) -> None:
    cache.mkdir(parents=True)
    for age in range(60):
        (cache / f"{age}.pickle").touch()
        os.utime(cache / f"{age}.pickle", (1000 - age, 1000 - age))
    load()
    kept = {file.stem for file in cache.iterdir()}
    assert len(kept) == 50
    assert {str(age) for age in range(49)} < kept


@pytest.mark.slow
def test_a_second_check_needs_no_reader_of_files(small_course: SmallCourse) -> None:
    program = small_course.hand_in("right", RIGHT) / "double.py"
    assert prepare_check(program, course=small_course.folder).tests
    code = (
        "import sys; from grader.api.check import check\n"
        f"check({str(program)!r}, course={str(small_course.folder)!r})\n"
        "print(*sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert not loaded & {"pydantic", "yaml", "grader.spec.load", "grader.rules", "importlib.metadata", "jinja2"}


def test_what_loads_again_is_what_is_asked(load: Loader, small_course: SmallCourse, tmp_path: Path) -> None:
    load()
    moved = tmp_path / "elsewhere"
    small_course.folder.rename(moved)
    load.folder = moved / load.folder.relative_to(small_course.folder)
    load.beside = (moved / "reference", moved / "checkers")
    assert load().folder == load.folder
    assert replace(load(), folder=Path()) == replace(load_now(load.folder, load.beside[0]), folder=Path())
