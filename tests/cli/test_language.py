"""`--language` and the language of the environment, in a terminal, in feedback and on pages."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import RIGHT, Grader, SmallCourse

WRONG = 'print("Double: ", 2 * int(input("Number: ")))\n'

IN_CHINESE = """\
Doubling numbers
公开测试；程序在资源限制下运行，不使用沙箱。
  输出错误       small: a small number

small: a small number  [输出错误]
  运行：python3 double.py   输入：4
  第 2 行：`8` 前面有 2 个空格，应为 1 个；其余都正确。
  详情：grader explain spacing
  - 期望的输出，+ 你的程序，> 有输入的行
>     1 │ Number: 4
-     2 │ Double: 8
                  ^
+     2 │ Double: ·8
                  ^
         · 空格

1 项测试中通过了 0 项。
"""


def check(course: SmallCourse, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """What `grader check` says where the environment has just these variables of a locale."""
    double = course.students / "wrong" / "double.py"
    if not double.exists():
        course.hand_in("wrong", WRONG)
    without = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LC_CTYPE", "LANG", "PYTHONIOENCODING", "PYTHONUTF8")
    environment = {name: value for name, value in os.environ.items() if name not in without} | variables
    command = [sys.executable, "-m", "grader", "check", str(double), *arguments]
    encoding = variables.get("PYTHONIOENCODING", "utf-8")
    return subprocess.run(
        command, cwd=course.folder, env=environment, capture_output=True, encoding=encoding, check=False
    )


def test_a_check_in_chinese(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("wrong", WRONG)
    run = grader("check", "submissions/doubles/wrong/double.py", "--language", "zh_CN")
    assert run.returncode == 1, run.stderr
    assert run.stdout == IN_CHINESE


@pytest.mark.slow
def test_the_environment_chooses_the_language(small_course: SmallCourse) -> None:
    assert check(small_course, LANG="zh_CN.UTF-8", PYTHONUTF8="1").stdout == IN_CHINESE
    assert check(small_course, LANG="de_DE.UTF-8", LANGUAGE="zh_CN", PYTHONUTF8="1").stdout == IN_CHINESE
    for run in (
        check(small_course, LANG="de_DE.UTF-8", PYTHONUTF8="1"),
        check(small_course, "--language", "en", LANG="zh_CN.UTF-8", PYTHONUTF8="1"),
    ):
        assert "there are 2 spaces before `8`, expected one; all else is right." in run.stdout


@pytest.mark.slow
@pytest.mark.parametrize("chosen", [pytest.param((), marks=pytest.mark.slow), ("--language", "zh_CN")])
def test_a_terminal_that_cannot_show_chinese_is_spoken_to_in_english(
    chosen: tuple[str, ...], small_course: SmallCourse
) -> None:
    run = check(small_course, *chosen, LANG="zh_CN.UTF-8", PYTHONIOENCODING="ascii")
    assert run.returncode == 1, run.stderr
    assert "there are 2 spaces before `8`, expected one; all else is right." in run.stdout
    gb18030 = check(small_course, *chosen, LANG="zh_CN.GB18030", PYTHONIOENCODING="gb18030")
    assert gb18030.stdout == IN_CHINESE


def test_a_language_that_is_not_spoken_is_refused(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("right", RIGHT)
    for command in ("check", "watch"):
        run = grader(command, "submissions/doubles/right", "--language", "zh_tw")
        assert (run.returncode, run.stdout) == (2, "")
        assert run.stderr == "There is no language `zh_tw`; did you mean `zh_CN`?; known: en, zh_CN.\n"


@pytest.mark.slow
def test_what_other_programs_read_stays_english(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("wrong", WRONG)
    options = ("submissions/doubles/wrong/double.py", "--format", "json", "--language")
    in_chinese = grader("check", *options, "zh_CN").stdout
    assert "In line 2 there are 2 spaces before `8`, expected one; all else is right." in in_chinese
    run = grader("export", "csv", "submissions/doubles", "--sandbox", "none", "--language", "zh_CN")
    assert run.returncode == 0, run.stderr
    [table] = (small_course.folder / "exports").rglob("*.csv")
    assert (in_chinese + table.read_text()).isascii()


@pytest.fixture
def graded(small_course: SmallCourse) -> SmallCourse:
    small_course.hand_in("late", WRONG, submitted="2025-10-28 13:00")
    return small_course


@pytest.mark.slow
def test_pages_for_students_in_chinese(grader: Grader, graded: SmallCourse) -> None:
    run = grader("export", "pages", "submissions/doubles", "--sandbox", "none", "--language", "zh_CN")
    assert run.returncode == 0, run.stderr
    [page] = (graded.folder / "exports").rglob("*.html")
    text = page.read_text(encoding="utf-8")
    assert '<html lang="zh-CN">' in text
    for said in (
        "成绩的计算过程",
        "提交的文件",
        "第 2 行：`8` 前面有 2 个空格，应为 1 个；其余都正确。",
        "展开",
        "− 期望",
    ):
        assert said in text, said
    for english in ("Submitted files", "all else is right", "Handed in", "expected</div>"):
        assert english not in text, english


@pytest.mark.slow
def test_feedback_for_students_in_chinese(grader: Grader, graded: SmallCourse) -> None:
    sheet = graded.folder / "sheet.csv"
    sheet.write_text(
        "Identifier,Full name,Grade,Maximum Grade,Feedback comments\nParticipant 7,late,,12.00,\n", encoding="utf-8-sig"
    )
    options = ("--sheet", sheet, "--sandbox", "none", "--language", "zh_CN")
    run = grader("export", "feedback", "submissions/doubles", *options)
    assert run.returncode == 0, run.stderr
    [archive] = (graded.folder / "exports").rglob("*.zip")
    text = read_text(archive)
    assert "迟交 2 天（不足一天按一天计）" in text
    assert "late:" not in text


def read_text(archive: Path) -> str:
    with zipfile.ZipFile(archive) as opened:
        [name] = [name for name in opened.namelist() if name.endswith(".txt")]
        return opened.read(name).decode()
