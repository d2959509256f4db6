from dataclasses import replace
from pathlib import Path

from grader.report.html.site import write_site
from tests.report.html.site_example import CLASS


def test_comments_have_a_section_and_stay_text(tmp_path: Path) -> None:
    commented = replace(CLASS.rows[0], comments=("Look at <b>\nyour loop",))
    write_site(replace(CLASS, rows=(commented, *CLASS.rows[1:])), tmp_path)
    assert "<p>Look at &lt;b&gt;<br>your loop</p>" in (tmp_path / "students" / "ann.html").read_text()
    assert "Comments" not in (tmp_path / "students" / "bob.html").read_text()
