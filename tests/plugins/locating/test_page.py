"""The page of the instructor names the lines at fault and marks them."""

import re
from dataclasses import replace
from pathlib import Path

from grader.grading.student_view import student_views
from grader.model.outcome import CodeLine
from grader.plugins.locating.suspects import LineUse, ProgramSuspects, SmallRepair, SuspectLine, Suspects
from grader.plugins.web.pages.site import write_site
from tests.reports.site_example import ASSIGNMENT, CLASS, row

SUSPICIOUS = ((12, LineUse.SKIPPED), (3, LineUse.ENTERED), (38, LineUse.RUN), (37, LineUse.RUN))
"""Lines of double.py that may be at fault, the most suspicious first."""

REPAIRS = (SmallRepair(5, 5), SmallRepair(0, 1), None, None)
"""What small changes of these lines come to."""

LINES = tuple(
    SuspectLine(place=CodeLine("double.py", line), use=use, failed=1, passed=passed, raised=passed // 2, repair=repair)
    for passed, ((line, use), repair) in enumerate(zip(SUSPICIOUS, REPAIRS, strict=True))
)
SUSPECTS = Suspects((ProgramSuspects(program="double.py", failed=1, passed=4, lines=LINES),))
BOB = row("bob", "I said ")
LOCATED = replace(BOB, graded=replace(BOB.graded, findings=(SUSPECTS,)))


def test_lines_at_fault_are_named_and_marked(tmp_path: Path) -> None:
    write_site(replace(CLASS, rows=(row("ann"), LOCATED)), tmp_path)
    page = (tmp_path / "students" / "bob.html").read_text().partition("</head>")[2]
    section = re.search(r'<section class="card instructor" aria-labelledby="suspects">.*?</section>', page, re.DOTALL)
    assert section is not None
    named = re.findall(r'href="#code-1-(\d+)">double\.py:\d+</a>', section[0])
    assert named == ["12", "3", "38"]
    assert "its body skipped by 1 of 1 failed test and 0 of 4 passed" in section[0]
    assert "and 0 of 4 passed; with a small change here 5 of 5 tests tried pass" in section[0]
    assert "and 1 of 4 passed; with a small change here a failed test goes on for longer" in section[0]
    assert "run by 1 of 1 failed test and 2 of 4 passed; 1 ended by an exception from here" in section[0]
    program = page.partition('aria-labelledby="code"')[2]
    marked = re.findall(r'class="l ([\w ]+)" id="code-1-(\d+)"><b class="rank">.*?rank </span>(\d)</b>', program)
    assert marked == [
        ("rule first", "3", "2"),
        ("rule first", "12", "1"),
        ("suspect", "37", "4"),
        ("first", "38", "3"),
    ]
    assert "suspects" not in (tmp_path / "students" / "ann.html").read_text().partition("</head>")[2]


def test_students_do_not_see_them() -> None:
    assert student_views(ASSIGNMENT)(LOCATED).graded.findings == ()
