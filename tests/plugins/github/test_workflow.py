"""`--format github` in a workflow: annotations, a job summary, and nothing that a program printed is obeyed."""

import pytest

from tests.cli.test_formats import WRONG, Run
from tests.cli.test_formats import run as run
from tests.conftest import RIGHT, SmallCourse, without_progress
from tests.sandbox import needs_sandbox

HOSTILE = """\
input("Number: ")
print("::error file=/etc/passwd::pwned")
print("::add-mask::Double")
print("##[error]pwned")
print("</pre><script>\\x1b[2J\\u202e|")
"""


@pytest.mark.slow
@needs_sandbox
def test_a_class_in_a_workflow(run: Run, small_course: SmallCourse) -> None:
    small_course.hand_in("right", RIGHT)
    small_course.hand_in("a | b", None)
    summary = small_course.folder / "summary.md"
    summary.write_text("before\n")
    outputs = [
        run("grade", "submissions", "--format", "github", GITHUB_STEP_SUMMARY=str(summary), FORCE_COLOR="1").stdout
        for _ in range(2)
    ]
    assert outputs[0] == outputs[1]
    assert "\x1b" not in outputs[0]
    assert "::warning title=a | b::double.py is missing\n" in outputs[0]
    lines = summary.read_text().splitlines()
    assert lines[0] == "before"
    assert lines.count("## Doubling numbers") == 2
    assert lines.count(r"| a \| b | 0 | 2 | 1/4 | 2 | on time | 12 | 2 |") == 2


@pytest.mark.slow
def test_a_check_in_a_workflow(run: Run, small_course: SmallCourse) -> None:
    folder = small_course.hand_in("hostile", HOSTILE)
    summary = small_course.folder / "summary.md"
    checked = run("check", folder, "--format", "github", GITHUB_STEP_SUMMARY=str(summary))
    assert checked.returncode == 1
    lines = checked.stdout.splitlines()
    errors = [line for line in lines if line.startswith("::error ")]
    assert len(errors) == 1
    assert errors[0].startswith("::error file=submissions/doubles/hostile/double.py,title=small%3A a small number::")
    assert commands_obeyed(lines) <= {"group", "endgroup", "error", "notice"}
    assert "\x1b" not in checked.stdout
    written = summary.read_text()
    assert "&lt;/pre&gt;&lt;script&gt;&lt;U+001B&gt;[2J&lt;U+202E&gt;|" in written
    assert "<script" not in written


@pytest.mark.slow
def test_paths_are_told_from_the_workspace(run: Run, small_course: SmallCourse) -> None:
    folder = small_course.hand_in("wrong", WRONG)
    checked = run("check", folder, "--format", "github", GITHUB_WORKSPACE=str(folder.parent))
    assert "::error file=wrong/double.py," in checked.stdout


def commands_obeyed(lines: list[str]) -> set[str]:
    """The commands in a log that a workflow obeys: at the start of a line, or after `##[`, unless they are stopped."""
    obeyed, token = set(), ""
    for line in map(str.strip, lines):
        if token:
            token = "" if line == f"::{token}::" else token
        elif line.startswith("::stop-commands::"):
            token = line.removeprefix("::stop-commands::")
        elif line.startswith("::"):
            obeyed.add(line[2:].partition("::")[0].partition(" ")[0])
        elif "##[" in line:
            obeyed.add("##[")
    assert not token
    return obeyed


def test_a_summary_that_cannot_be_written_is_said(run: Run, small_course: SmallCourse) -> None:
    folder = small_course.hand_in("right", RIGHT)
    checked = run("check", folder, "--format", "github", GITHUB_STEP_SUMMARY="/nowhere/at/all")
    assert checked.returncode == 2
    told = "The job summary cannot be added to /nowhere/at/all: No such file or directory\n"
    assert without_progress(checked.stderr) == told
