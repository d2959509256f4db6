import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from grader.analysis.failure_groups import groups_of, shared_groups, with_comments
from grader.analysis.item_statistics import item_statistics
from grader.errors import SourceLocation
from grader.model.judgement import Judgement, Verdict
from grader.model.results import ClassResult, GroupComment, StudentResult, TestResult
from grader.plugins.web.pages.site import write_site
from tests.plugins.web.pages.test_code_view import CRASH, crashed
from tests.reports.site_example import CLASS, row


def written(graded: ClassResult, folder: Path, page: str) -> str:
    write_site(graded, folder)
    return (folder / page).read_text()


def test_comments_have_a_section_and_stay_text(tmp_path: Path) -> None:
    commented = replace(CLASS.rows[0], comments=("Look at <b>\nyour loop",))
    write_site(replace(CLASS, rows=(commented, *CLASS.rows[1:])), tmp_path)
    assert "<p>Look at &lt;b&gt;<br>your loop</p>" in (tmp_path / "students" / "ann.html").read_text()
    assert "Comments" not in (tmp_path / "students" / "bob.html").read_text()


def test_findings_have_a_section_and_mark_lines(tmp_path: Path) -> None:
    write_site(CLASS, tmp_path)
    page = (tmp_path / "students" / "bob.html").read_text().partition("</head>")[2]
    section = re.search(r'<section class="card" aria-labelledby="marked">.*?</section>', page, re.DOTALL)
    assert section is not None
    assert ">Lines of bob</h2>" in section[0]
    assert re.findall(r'href="#code-1-(\d+)">double\.py:\d+</a>', section[0]) == ["12", "3", "38"]
    program = page.partition('aria-labelledby="code"')[2]
    marks = re.findall(r'class="l ([\w ]+)" id="code-1-(\d+)"><b class="rank">.*?mark </span>(\d)</b>', program)
    assert marks == [("rule first", "3", "2"), ("rule first", "12", "1"), ("similar first", "38", "3")]
    assert '<p class="remark similar instructor"><a href="#marked">the last one &lt;/code&gt;' in program
    assert "marked" not in (tmp_path / "students" / "ann.html").read_text().partition("</head>")[2]


def class_with_a_group() -> ClassResult:
    """Two print the same wrong thing, one another wrong thing; the two have a comment."""
    rows = (row("ann", "I said"), row("bob", "I said", late=timedelta(days=1)), row("eve", "Said"), row("zoe"))
    graded = replace(CLASS, rows=rows)
    [group] = shared_groups(groups_of(one.graded for one in rows))
    return with_comments(
        graded, [GroupComment(group.id, "Who is <asked>?", SourceLocation(Path("comments.yaml"), 3, 5))]
    )


def test_a_group_has_its_members_an_example_and_the_comment(tmp_path: Path) -> None:
    page = written(class_with_a_group(), tmp_path, "groups.html").partition("<main")[2]
    group, _, alone = page.partition("Failing in a way of their own")
    assert "2 students, 1 test" in group
    for student in ("ann", "bob"):
        assert f'href="students/{student}.html">{student}</a>' in group
    assert "<p>Who is &lt;asked&gt;?</p>" in group
    assert 'href="students/ann.html#test-talk">ann</a> in talk' in group
    assert "<mark>I</mark>" in group
    assert "eve" not in group
    assert 'href="students/eve.html">eve</a>' in alone
    assert "zoe" not in page


def test_the_comment_on_a_group_is_on_the_pages_of_its_members(tmp_path: Path) -> None:
    write_site(class_with_a_group(), tmp_path)
    said = {file.stem for file in (tmp_path / "students").iterdir() if "Who is &lt;asked&gt;?" in file.read_text()}
    assert said == {"ann", "bob"}


def test_the_overview_leads_to_the_groups(tmp_path: Path) -> None:
    page = written(class_with_a_group(), tmp_path, "index.html")
    [anchor] = re.findall(r'href="groups.html#(.*?)"', page)
    assert f'id="{anchor}"' in (tmp_path / "groups.html").read_text()


def test_groups_are_listed_before_they_are_shown_whole(tmp_path: Path) -> None:
    words = {"ann": "I said", "bob": "I said", "eve": "Said", "zoe": "Said", "max": "Said"}
    graded = replace(CLASS, rows=tuple(row(name, said) for name, said in words.items()))
    page = written(graded, tmp_path, "groups.html").partition("<main")[2]
    listed, _, whole = page.partition('<section class="card" id="group-')
    assert re.findall(r'class="points">(\d) students', listed) == ["3", "2"]
    anchors = re.findall(r'href="#group-(\w+)"', listed)
    assert anchors == re.findall(r'aria-labelledby="size-(\w+)"', whole)


def test_only_students_who_printed_the_same_are_a_group(tmp_path: Path) -> None:
    rows = tuple(crashed_row(name, error) for name, error in (("ann", "x"), ("bob", "x"), ("eve", "y"), ("zoe", "z")))
    page = written(replace(CLASS, rows=rows), tmp_path, "groups.html").partition("<main")[2]
    together, _, further = page.partition("<h3>Further students")
    assert "2 students, 1 test" in together
    assert "eve" not in together
    assert "eve" in further


def test_who_handed_in_no_file_is_no_group(tmp_path: Path) -> None:
    rows = tuple(
        replace(one, graded=replace(one.graded, results=(one.graded.results[0], missing(one.graded.results[1]))))
        for one in (row("ann"), row("bob"))
    )
    page = written(replace(CLASS, rows=rows), tmp_path, "groups.html").partition("<main")[2]
    assert "No two students share a mistake." in page
    assert "ann" not in page


def missing(result: TestResult) -> TestResult:
    """The result of a test without its file."""
    return replace(result, judgement=Judgement(verdict=Verdict.MISSING_FILE), outcome=None)


def crashed_row(name: str, undefined: str) -> StudentResult:
    """A student whose program stops at a name that is not defined."""
    one = row(name)
    result = crashed(one.graded.results[1].test.id, CRASH.replace("'y'", f"'{undefined}'"))
    return replace(one, graded=replace(one.graded, results=(one.graded.results[0], result)))


def test_what_needs_a_person_comes_first(tmp_path: Path) -> None:
    page = written(CLASS, tmp_path, "index.html").partition("<main")[2]
    order = re.findall(r'<h2 id="(\w+)">', page)
    assert order == ["attention", "marks", "students", "tests", "notes"]
    assert re.findall(r'<a href="#(\w+)">', page.partition("</nav>")[0]) == order


def test_where_nobody_shares_a_mistake_it_says_so(tmp_path: Path) -> None:
    graded = replace(CLASS, rows=(row("eve", "Said"), row("zoe")))
    assert "No two students share a mistake." in written(graded, tmp_path, "groups.html")
    assert "groups.html" not in (tmp_path / "index.html").read_text()


def test_tests_have_the_statistics_that_insight_computes(tmp_path: Path) -> None:
    write_site(CLASS, tmp_path)
    overview, page = ((tmp_path / file).read_text() for file in ("index.html", "tests/talk.html"))
    item = item_statistics([row.graded for row in CLASS.rows])[1]
    assert (item.test, item.count) == ("talk", 9)
    [line] = (line for line in overview.splitlines() if 'href="tests/talk.html"' in line and "<td" in line)
    assert f"{item.passed:.0%}".replace("%", " %") in line
    assert f'data-k="{item.discrimination}"' in line
    assert f"<dd>{100 * item.passed:.0f} %" in page
    assert f"<dd>{item.median_seconds:.2f} s" in page


def test_a_class_that_handed_in_nothing_has_no_statistics(tmp_path: Path) -> None:
    nothing = replace(CLASS.rows[0].graded, submission=replace(CLASS.rows[0].graded.submission, files=()))
    graded = replace(CLASS, rows=(replace(CLASS.rows[0], graded=nothing),))
    assert "Discrimination" not in written(graded, tmp_path, "tests/talk.html")
    assert "<td>–</td><td>–</td><td>–</td><td>–</td>" in (tmp_path / "index.html").read_text()
