"""`grader similar` as an instructor uses it."""

import json
from itertools import islice
from pathlib import Path

from benchmarks.similar import iter_functions
from tests.conftest import Grader, SmallCourse

PROGRAM = "\n\n".join(islice(iter_functions(), 3))


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


def test_web_pages_in_a_folder_of_their_own(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("ann", PROGRAM)
    small_course.hand_in("bob", f"# </code><script>window.hit = 1</script>\n{PROGRAM}")
    run = grader("similar", "submissions", "--html", "apart")
    folder = small_course.folder / "apart" / "doubles"
    assert run.stdout.endswith(f"Web pages, for instructors only: {Path('apart/doubles/index.html')}\n"), run.stderr
    assert "bob" in (folder / "index.html").read_text()
    page = (folder / "pairs" / "001.html").read_text()
    assert "# &lt;/code&gt;&lt;script&gt;window.hit = 1&lt;/script&gt;" in page


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
