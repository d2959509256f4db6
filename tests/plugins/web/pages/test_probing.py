"""What random sessions found of a class is on its first page, as far as it is about what is handed in now."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.results import ClassResult
from grader.plugins.web.pages.probing_share import probing_share
from grader.plugins.web.pages.site import write_site
from grader.reports.html.writer import FurtherFindings
from grader.reports.probing import ProbedSubmissions, read_probing, write_probing
from grader.reports.write import ReportError
from tests.reports.site_example import CLASS


def accepted_class() -> ClassResult:
    """The example with four submissions that pass all tests, of which two are the same."""
    passing = next(row for row in CLASS.rows if row.graded.passes_all_tests)
    digests = ("one", "one", "two", "three")
    rows = tuple(
        replace(
            passing,
            graded=replace(
                passing.graded, digest=digest, submission=replace(passing.graded.submission, student=f"s{number}")
            ),
        )
        for number, digest in enumerate(digests)
    )
    failing = next(row for row in CLASS.rows if not row.graded.passes_all_tests)
    return replace(CLASS, rows=(*rows, failing))


def test_what_is_handed_in_now_counts() -> None:
    share = probing_share(accepted_class(), ProbedSubmissions(70, {"one": True, "two": False, "gone": True}))
    assert (share.accepted, share.probed, share.differing, share.sessions) == (4, 3, 2, 70)


def test_the_page_says_how_many_differ_and_within_which_bounds(tmp_path: Path) -> None:
    write_site(accepted_class(), tmp_path, further=FurtherFindings(ProbedSubmissions(70, {"one": True, "two": False})))
    page = " ".join((tmp_path / "index.html").read_text().split())
    assert "<dt>Pass all tests and are wrong</dt><dd>2 <small>of 3 probed in 70 random sessions; 21% to 94%" in page


def test_nothing_is_said_where_nothing_is_known(tmp_path: Path) -> None:
    write_site(accepted_class(), tmp_path, further=FurtherFindings(ProbedSubmissions(70, {"gone": True})))
    assert "random session" not in (tmp_path / "index.html").read_text()


def test_findings_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "fuzz" / "war.json"
    assert read_probing(file) is None
    probed = ProbedSubmissions(3, {"one": True, "two": False})
    write_probing(file, probed)
    assert read_probing(file) == probed


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "cannot be read"),
        ("[]", "cannot be read"),
        ('{"format": 2}', "is of format 2; expected 1"),
        ("{}", "cannot be read"),
    ],
)
def test_findings_that_cannot_be_read(tmp_path: Path, content: str, said: str) -> None:
    file = tmp_path / "war.json"
    file.write_text(content)
    with pytest.raises(ReportError, match=said):
        read_probing(file)


def test_findings_without_access(tmp_path: Path) -> None:
    file = tmp_path / "war.json"
    file.mkdir()
    with pytest.raises(ReportError, match=r"war\.json cannot be read: Is a directory$"):
        read_probing(file)
