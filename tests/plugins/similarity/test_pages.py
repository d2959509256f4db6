import re
from dataclasses import replace
from pathlib import Path

import pytest

from grader.plugins.similarity.fingerprints import ProgramSource, similar_pairs
from grader.plugins.similarity.pages import pair_view, write_similar
from grader.plugins.similarity.remarks import passages_by_student
from grader.plugins.web.pages.site import write_site
from grader.reports.write import ReportError
from tests.plugins.similarity.similar_example import PROGRAM, SEARCH, find_pairs
from tests.reports.site_example import ASSIGNMENT, CLASS


def test_a_page_per_pair_replaces_those_of_before(tmp_path: Path) -> None:
    assert write_similar(ASSIGNMENT, find_pairs(), SEARCH, tmp_path) == tmp_path / "index.html"
    assert len(list((tmp_path / "pairs").iterdir())) == len(find_pairs())
    write_similar(ASSIGNMENT, find_pairs()[:1], SEARCH, tmp_path)
    assert [file.name for file in (tmp_path / "pairs").iterdir()] == ["001.html"]
    write_similar(ASSIGNMENT, [], SEARCH, tmp_path)
    assert "No two programs share that much." in (tmp_path / "index.html").read_text()


def test_it_says_what_it_does_not_show_and_did_not_count(tmp_path: Path) -> None:
    for file in (write_similar(ASSIGNMENT, find_pairs(), SEARCH, tmp_path), tmp_path / "pairs" / "002.html"):
        text = file.read_text()
        assert "This shows similarity, not guilt" in text
        assert not re.search("<(img|script|b>)", text.partition("</head>")[2])
    assert "&lt;cards&gt;.py" in (tmp_path / "index.html").read_text()


def test_of_very_many_pairs_the_most_similar_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.plugins.similarity.pages._MAX_PAIRS", 2)
    write_similar(ASSIGNMENT, find_pairs(), SEARCH, tmp_path)
    assert "These are the 2 most similar" in (tmp_path / "index.html").read_text()
    assert len(list((tmp_path / "pairs").iterdir())) == 2


def test_where_students_have_reports_they_are_not_written(tmp_path: Path) -> None:
    (tmp_path / "students").mkdir()
    with pytest.raises(ReportError, match="a folder of their own"):
        write_similar(ASSIGNMENT, find_pairs(), SEARCH, tmp_path)
    assert not (tmp_path / "index.html").exists()


def test_every_line_is_shown_once_with_its_number() -> None:
    first, _ = pair_view(find_pairs()[0]).programs
    code = str(first.code)
    lines = PROGRAM.split("\n")
    assert code.count('class="n"') == len(lines)
    assert f'<span class="n">{len(lines)}</span>' in code
    assert code.count("<div") == code.count("</div>")


def test_what_others_have_too_is_told_the_instructor_at_its_line(tmp_path: Path) -> None:
    sources = [ProgramSource(name, "double.py", PROGRAM) for name in ("ann", "bob")]
    found = passages_by_student(similar_pairs(sources, [], least=0.6, common=10), {"ann": "ann", "bob": "bob"})
    rows = [replace(row, graded=replace(row.graded, findings=(found[row.student],))) for row in CLASS.rows[:2]]
    write_site(replace(CLASS, rows=tuple(rows)), tmp_path)
    for one, other in (("ann", "bob"), ("bob", "ann")):
        page = (tmp_path / "students" / f"{one}.html").read_text()
        link = rf'<a href="{other}\.html#code">lines \d+ to \d+ are like lines .* of {other}</a>'
        assert re.search(f'<p class="remark similar instructor">{link}', page)
