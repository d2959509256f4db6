"""The submitted files on the page of a student."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from grader.judge.judge import judge
from grader.model.finding import FindingView, LineRemark
from grader.model.outcome import CodeLine, Outcome, Termination
from grader.model.results import StudentResult, TestResult
from grader.model.rule import RuleFinding, RuleResult
from grader.model.submission import SubmittedFile
from grader.plugins.web.pages.code_view import code_view
from tests.reports.graded_example import EXPECTED, GAME
from tests.reports.rubric_example import MAIN
from tests.reports.site_example import row

CRASH = """\
Traceback (most recent call last):
  File "double.py", line 2, in <module>
    print(y)
NameError: name 'y' is not defined
"""


def handed_in(folder: Path, files: dict[str, bytes]) -> StudentResult:
    one = row("ann")
    for name, content in files.items():
        (folder / name).write_bytes(content)
    submitted = tuple(SubmittedFile(name, folder / name) for name in files)
    submission = replace(one.graded.submission, files=submitted)
    return replace(one, graded=replace(one.graded, submission=submission, rules=(), results=()))


def crashed(name: str, transcript: str) -> TestResult:
    test = replace(GAME, id=name)
    outcome = Outcome(
        transcript=transcript,
        typed=(),
        ending=Termination.EXITED,
        exit_code=1,
        signal=None,
        unsent=1,
        wall_seconds=0.1,
        cpu_seconds=0.1,
    )
    return TestResult(test=test, judgement=judge(test, EXPECTED, outcome), outcome=outcome, expected=EXPECTED)


def test_python_is_highlighted_line_by_line(tmp_path: Path) -> None:
    source = b'"""Two\nlines."""\r\ndef f(x):\n    return len("a<b") + 12  # why\n'
    view = code_view(handed_in(tmp_path, {"double.py": source}), ())
    [file] = view.files
    assert (file.lines, file.remarks, file.not_shown) == (4, 0, "")
    first, second, third, fourth = file.code.strip().split("\n")
    quoted = '<span class="t-string">&#34;&#34;&#34;Two</span>'
    assert first == f'<div class="l" id="code-1-1"><span class="n">1</span><code>{quoted}</code></div>'
    assert '<span class="t-string">lines.&#34;&#34;&#34;</span>' in second
    assert '<span class="t-keyword">def</span> <span class="t-name">f</span>(x):' in third
    for piece in (
        '<span class="t-builtin">len</span>',
        "a&lt;b",
        '<span class="t-number">12</span>',
        '<span class="t-comment"># why</span>',
    ):
        assert piece in fourth


@pytest.mark.parametrize(
    ("name", "words"), [("shapes.c", ["int"]), ("Main.java", ["int"]), ("words.txt", []), ("odd", [])]
)
def test_the_name_of_a_file_says_its_language(name: str, words: list[str], tmp_path: Path) -> None:
    [file] = code_view(handed_in(tmp_path, {name: b"int x;\n"}), ()).files
    assert re.findall(r't-keyword">(\w+)<', file.code) == words


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"a\0b", "This is no text."),
        (b"x = 1\n" * 100_000, "The file is too long to be shown."),
    ],
)
def test_what_is_no_readable_text_says_so(content: bytes, why: str, tmp_path: Path) -> None:
    [file] = code_view(handed_in(tmp_path, {"double.py": content}), ()).files
    assert (file.not_shown, file.code.strip()) == (why, "")


def test_a_file_that_is_gone_says_so(tmp_path: Path) -> None:
    one = handed_in(tmp_path, {"double.py": b"x\n"})
    (tmp_path / "double.py").unlink()
    assert code_view(one, ()).files[0].not_shown == "The file is not there any more."


@pytest.mark.parametrize("content", [b"", b"\n", b"x", b"x\n", b"x\n\n", b"\xef\xbb\xbfx\r\n", b"x\ry\r"])
def test_lines_are_counted_as_python_counts_them(content: bytes, tmp_path: Path) -> None:
    [file] = code_view(handed_in(tmp_path, {"double.py": content}), ()).files
    assert file.lines == len(content.decode("utf-8-sig").splitlines())


def test_a_crash_of_several_tests_is_said_once_at_its_line(tmp_path: Path) -> None:
    one = handed_in(tmp_path, {"double.py": b"x = 1\nprint(y)\n"})
    results = tuple(crashed(name, CRASH) for name in ("a", "b"))
    view = code_view(replace(one, graded=replace(one.graded, results=results)), ())
    [words] = re.findall(r'<p class="remark crash"><a href="#test-a">(.*?)</a></p>', view.files[0].code)
    assert words == "NameError: name &#39;y&#39; is not defined (in a, b)"
    assert view.anchor("double.py", 2) == "code-1-2"
    assert 'class="l crash" id="code-1-2"' in view.files[0].code
    assert view.files[0].remarks == 1


def test_a_line_that_is_not_there_has_no_anchor(tmp_path: Path) -> None:
    one = handed_in(tmp_path, {"double.py": b"x = 1\n"})
    results = (crashed("a", CRASH),)
    view = code_view(replace(one, graded=replace(one.graded, results=results)), ())
    assert set(view.anchors) == {CodeLine("double.py", 1)}
    assert view.files[0].remarks == 0


def test_rules_and_further_remarks_stand_below_their_lines(tmp_path: Path) -> None:
    one = handed_in(tmp_path, {"double.py": b"x = 1\nmain()\n"})
    finding = RuleFinding(file="double.py", line=2, code="main()", message="called without <guard>")
    one = replace(one, graded=replace(one.graded, rules=(RuleResult(MAIN, (finding,)),)))
    remark = LineRemark("similar", "lines 1 to 2 are like others", "other.html#code", private=True)
    view = code_view(one, [FindingView(remarks={CodeLine("double.py", 1): [remark]})])
    first, below_first, second, below_second = view.files[0].code.strip().split("\n")
    assert 'class="l similar" id="code-1-1"' in first
    assert below_first == (
        '<p class="remark similar instructor"><a href="other.html#code">lines 1 to 2 are like others</a></p>'
    )
    assert 'class="l rule" id="code-1-2"' in second
    link = '<a href="#broken-1">main: called without &lt;guard&gt;</a>'
    assert below_second == f'<p class="remark rule instructor">{link}</p>'


def test_very_long_lines_are_shown_without_colours(tmp_path: Path) -> None:
    [file] = code_view(handed_in(tmp_path, {"double.py": b"def f(): pass # " + b"(" * 5000 + b"\n"}), ()).files
    assert "t-keyword" not in file.code
    assert file.lines == 1
