"""`grader term` prints, writes and says by its exit code whether anything is open."""

from functools import partial
from pathlib import Path

from tests.plugins.term.term_course import WORKS, Work, write_course, write_reports
from tests.prepared_grader import PreparedGrader


def test_the_exit_code_says_whether_a_total_is_open(prepared: PreparedGrader, tmp_path: Path) -> None:
    write_course(tmp_path)
    grader = partial(prepared.run, folder=tmp_path)
    opened = grader("term", "--output", "reports/term.csv", "--output", "term.json")
    assert opened.returncode == 1, opened.stderr
    assert "z3: open, because of a2: not yet marked: work\n" in opened.stdout
    assert "z2: 4 late days of 4 used: a1 3, a2 1\n" in opened.stdout
    assert (tmp_path / "reports" / "term.csv").read_text().startswith("student,id,name,")
    write_reports(tmp_path, "a2", {**WORKS["a2"], "z3": Work("40")})
    closed = grader("term", str(tmp_path / "term.yaml"))
    assert closed.returncode == 0, closed.stderr


def test_other_endings_and_places_are_refused(prepared: PreparedGrader, tmp_path: Path) -> None:
    write_course(tmp_path)
    for output, message in (("term.xlsx", "There is no format of terms `xlsx`"), ("no/term.csv", "cannot be written")):
        refused = prepared.run("term", "--output", output, folder=tmp_path)
        assert refused.returncode == 2
        assert message in refused.stderr
