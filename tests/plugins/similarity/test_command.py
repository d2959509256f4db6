"""`grader similar` as an instructor uses it."""

import json
from itertools import islice
from pathlib import Path

import pytest

from benchmarks.similar import iter_functions
from tests.conftest import RIGHT, Grader, SmallCourse

PROGRAM = "\n\n".join(islice(iter_functions(), 3))


@pytest.mark.slow
def test_pairs_and_passages(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("ann", PROGRAM)
    small_course.hand_in("bob", f"# all my own\n{PROGRAM}")
    small_course.hand_in("eve", "print('\x1b[31m')\n")
    run = grader("similar", "submissions", "--show", "1")
    assert run.returncode == 0, run.stderr
    assert "not guilt" in run.stdout
    assert "100% of ann double.py, 100% of bob double.py" in run.stdout
    assert PROGRAM.splitlines()[1].strip() in run.stdout
    assert "eve double.py" not in run.stdout


@pytest.mark.slow
def test_a_program_that_is_too_long_is_named(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("ann", PROGRAM)
    small_course.hand_in("bob", "x = 1\n" * 20_000 + PROGRAM)
    run = grader("similar", "submissions")
    assert "bob: double.py is too long: what comes after line 16667 was not compared" in run.stderr


def test_a_share_is_a_number(grader: Grader) -> None:
    run = grader("similar", ".", "--min-percent", "x")
    assert run.returncode == 2
    assert "Invalid value for '--min-percent': 'x' is not a valid number." in run.stderr


@pytest.mark.slow
def test_web_pages_in_a_folder_of_their_own(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("ann", PROGRAM)
    small_course.hand_in("bob", f"# </code><script>window.hit = 1</script>\n{PROGRAM}")
    run = grader("similar", "submissions", "--html", "apart")
    folder = small_course.folder / "apart" / "doubles"
    assert run.stdout.endswith(f"Web pages, for instructors only: {Path('apart/doubles/index.html')}\n"), run.stderr
    assert "bob" in (folder / "index.html").read_text()
    page = (folder / "pairs" / "001.html").read_text()
    assert "# &lt;/code&gt;&lt;script&gt;window.hit = 1&lt;/script&gt;" in page


@pytest.mark.slow
def test_an_earlier_class_as_json(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("ann", PROGRAM)
    earlier = small_course.folder / "last year" / "zoe"
    earlier.mkdir(parents=True)
    (earlier / "double.py").write_text(PROGRAM)
    run = grader("similar", "submissions", "--earlier", "last year", "--json")
    content = json.loads(run.stdout)
    assert content["format"] == "grader-similar/1"
    [pair] = content["pairs"]
    assert pair["second"] == {"student": "zoe", "file": "double.py", "earlier": True}
    assert pair["first_share"] == 1
    assert pair["passages"][0]["first"][0] == 1


LONG = f"""\
def numbers(most):
    found = []
    for one in range(most):
        if one % 3 == 0 and one % 5 != 0:
            found.append(one * one - 1)
        elif one % 7 == 2:
            found.extend([one, most, one + most])
    return found


{RIGHT}"""


def site(course: SmallCourse) -> dict[str, str]:
    folder = course.folder / "reports" / "html" / "doubles"
    return {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*.html")}


@pytest.mark.slow
def test_passages_that_programs_share_are_marked(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("ann", LONG)
    small_course.hand_in("bob", LONG.replace("found", "gathered").replace("numbers", "many"))
    small_course.hand_in("eve", "print('nothing')\n")
    assert grader("report", "submissions", "--similar").returncode == 0
    pages = site(small_course)
    said = "of double.py of bob"
    assert '<p class="remark similar instructor"><a href="bob.html#code">lines 1 to ' in pages["students/ann.html"]
    assert said in pages["students/ann.html"]
    assert 'class="remark similar' not in pages["students/eve.html"]
    assert grader("report", "submissions").returncode == 0
    assert 'class="remark similar' not in site(small_course)["students/ann.html"]
    assert grader("export", "pages", "submissions").returncode == 0
    assert not any(b"of bob" in page.read_bytes() for page in (small_course.folder / "exports").rglob("*.html"))
