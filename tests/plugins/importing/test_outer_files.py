"""Imports read nothing outside the imported folder, and answer malformed files with an error for people."""

from pathlib import Path

import pytest

from grader.plugins.importing.api import import_check50, import_classroom, import_kattis, import_tested
from grader.plugins.importing.course_draft import ImportingError
from tests.plugins.importing.packages import ADD, write

CHECK = """import check50


@check50.check()
def starts():
    check50.include({name!r})


@check50.check()
def adds():
    check50.run("python3 add.py").stdin("1 2").stdout("3")


@check50.check()
def reads():
    check50.run("python3 add.py").stdout(open({name!r}).read())
"""
PACKAGE = {
    "problem.yaml": "name: x\n",
    "data/sample/1.in": "1\n",
    "data/sample/1.ans": "1\n",
    "submissions/accepted/add.py": ADD,
}


@pytest.fixture
def private(tmp_path: Path) -> Path:
    (tmp_path / "private.txt").write_text("PRIVATE")
    return tmp_path / "private.txt"


def copied(course: Path) -> list[Path]:
    return [file for file in course.rglob("*") if file.is_file() and "PRIVATE" in file.read_text(encoding="utf-8")]


@pytest.mark.parametrize("name", ["{folder}/private.txt", "../private.txt", "x/../../private.txt"])
def test_check50_reads_no_file_outside_its_folder(name: str, private: Path) -> None:
    name = name.format(folder=private.parent)
    problem = write(private.parent / "add", {"__init__.py": CHECK.format(name=name), "x/y": ""})
    made = import_check50(problem, into=private.parent / "course")
    notes = (made.course / "test_specs" / "add" / "IMPORT.md").read_text(encoding="utf-8")
    assert f"{name} was not imported: it is outside the folder" in notes
    assert f"`{name}` is outside the imported folder and is not read" in notes
    assert copied(made.course) == []


@pytest.mark.parametrize("link", ["data/sample/1.in", "data/outer", "data/again"])
def test_links_out_of_a_package_and_to_folders_are_refused(link: str, private: Path) -> None:
    package = write(private.parent / "sum", {name: text for name, text in PACKAGE.items() if name != link})
    target = {"data/outer": private.parent, "data/again": package / "data"}.get(link, private)
    (package / link).symlink_to(target)
    with pytest.raises(ImportingError, match=f"{link} is a link to a folder or to a place outside"):
        import_kattis(package, into=private.parent / "course")
    assert not (private.parent / "course").exists()


def test_a_link_to_a_file_of_the_package_is_followed(tmp_path: Path) -> None:
    package = write(tmp_path / "sum", PACKAGE)
    (package / "data/sample/2.in").symlink_to("1.in")
    (package / "data/sample/2.ans").symlink_to("1.ans")
    assert import_kattis(package, into=tmp_path / "course").tests == 2


def test_a_suite_outside_the_exercise_is_not_read(private: Path) -> None:
    exercise = write(private.parent / "add", {"config.json": '{"evaluation": {"test_suite": "../../private.txt"}}'})
    (exercise / "evaluation").mkdir()
    with pytest.raises(ImportingError, match="is missing"):
        import_tested(exercise, into=private.parent / "course")


@pytest.mark.parametrize(
    "tests", ['{"tests": [5, null, "x"]}', "[" * 100_000, '{"tests": 5}'], ids=["no mappings", "deep", "no list"]
)
def test_malformed_tests_of_classroom_are_an_error(tests: str, tmp_path: Path) -> None:
    folder = write(tmp_path / "hw", {".github/classroom/autograding.json": tests, "a.py": ""})
    with pytest.raises(ImportingError, match="is no list of tests of GitHub Classroom"):
        import_classroom(folder, into=tmp_path / "course")


@pytest.mark.parametrize("step", ["- 5", "- {uses: x, with: 5}"])
def test_malformed_steps_of_classroom_are_an_error(step: str, tmp_path: Path) -> None:
    folder = write(tmp_path / "hw", {".github/workflows/a.yml": f"jobs: {{a: {{steps: [{step[2:]}]}}}}\n"})
    with pytest.raises(ImportingError, match="step 1 of a is no mapping"):
        import_classroom(folder, into=tmp_path / "course")


def test_a_command_of_classroom_names_no_test_outside_the_repository(private: Path) -> None:
    (private.parent / "test_it.py").write_text("import add\n\n\ndef test_it():\n    assert add.x == 'PRIVATE'\n")
    tests = '{"tests": [{"name": "a", "run": "pytest ../test_it.py", "points": 1}]}'
    folder = write(private.parent / "hw", {".github/classroom/autograding.json": tests, "add.py": "x = 1\n"})
    try:
        made = import_classroom(folder, into=private.parent / "course")
    except ImportingError:
        return
    assert copied(made.course) == []


@pytest.mark.parametrize("limits", ["time_limit: 1e400", "memory: much", "output: -1", "compilation_time: .nan"])
def test_a_limit_of_kattis_that_is_no_number_is_an_error(limits: str, tmp_path: Path) -> None:
    package = write(tmp_path / "sum", {**PACKAGE, "problem.yaml": f"name: x\nlimits: {{{limits}}}\n"})
    with pytest.raises(ImportingError, match="is no positive number"):
        import_kattis(package, into=tmp_path / "course")
