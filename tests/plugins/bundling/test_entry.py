"""Bundles at work, as students have them: on a Python without any package."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from zipfile import ZipFile

import pytest

from grader.model.assignment import FileNamePolicy, SubmissionPolicy
from grader.plugins.bundling.bundle import BundleError, data_files, make_file, make_folder
from grader.plugins.bundling.entry import main
from grader.plugins.bundling.public_content import public_content
from grader.spec.course import Course
from tests import ROOT
from tests.conftest import RIGHT, TRIPLE, SmallCourse, bare_python, without_progress
from tests.plugins.bundling.conftest import RULE


@pytest.fixture(scope="session")
def unpacked(bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundle as a folder, which Python compiles once and not at each start."""
    folder = tmp_path_factory.mktemp("unpacked") / bundle.name
    with ZipFile(bundle) as archive:
        archive.extractall(folder)
    return folder


def check(
    bundle: Path, *arguments: str | Path, environment: Mapping[str, str] = MappingProxyType({})
) -> subprocess.CompletedProcess[str]:
    command = [*bare_python(), str(bundle), "check", *map(str, arguments)]
    return subprocess.run(
        command, cwd=bundle.parent, capture_output=True, encoding="utf-8", check=False, env=dict(environment)
    )


@pytest.mark.slow
def test_it_tells_right_from_wrong_on_a_bare_python(bundle: Path, secret_course: SmallCourse, tmp_path: Path) -> None:
    program = 'n = int(input("Number: "))\nprint("Double:", 2 * n + n // 5)\n'
    run = check(bundle, secret_course.hand_in("wrong", program), "--show", "1", "--save", tmp_path / "mine")
    assert run.returncode == 1, run.stderr
    lines = run.stdout.splitlines()
    assert lines[:2] == ["Doubling numbers", "Public tests; the program runs with limits, without a sandbox."]
    assert "  passed         small: a small number" in lines
    assert "  passed         at-the-prompt" in lines
    assert "  wrong-output   closed: a sealed one" in lines
    assert "  Line 2, `Double: 11`, is the first wrong one; what is expected is sealed." in lines
    assert "10" not in run.stdout
    assert "2 of 3 tests passed." in lines
    assert "  kept           no-eval: no eval" in lines
    assert (tmp_path / "mine" / "small.txt").read_text() == "Number: 4\nDouble: 8\n"


def in_folder(bundle: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a copy of the bundle in the folder of the program, as students do."""
    shutil.copy(bundle, folder / "grader.pyz")
    command = [*bare_python(), "grader.pyz", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False, env={})


@pytest.mark.slow
def test_the_file_alone_or_nothing_is_enough_in_the_folder_of_the_program(
    bundle: Path, secret_course: SmallCourse
) -> None:
    folder = secret_course.hand_in("at home", RIGHT)
    named = in_folder(bundle, folder, "double.py")
    assert (named.returncode, without_progress(named.stderr)) == (1, "")
    assert "grader.pyz" not in named.stdout.replace("python3 grader.pyz explain", "")
    whole = in_folder(bundle, folder)
    assert "note" not in whole.stdout
    assert "  more: python3 grader.pyz explain " in whole.stdout


def test_a_mistyped_command_is_named(bundle: Path, tmp_path: Path) -> None:
    run = in_folder(bundle, tmp_path, "chek", "double.py")
    assert (run.returncode, run.stdout) == (2, "")
    assert "error: `chek` is no command; did you mean `check`?" in run.stderr
    assert "There is no file or folder double.py" in in_folder(bundle, tmp_path, "double.py").stderr


@pytest.mark.slow
def test_words_are_explained(bundle: Path, unpacked: Path, tmp_path: Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [*bare_python(), unpacked.name, *arguments]
        return subprocess.run(command, cwd=unpacked.parent, capture_output=True, encoding="utf-8", check=False, env={})

    first = in_folder(bundle, tmp_path, "explain", "wrong-prompt")
    assert first.stdout.startswith("wrong-prompt: The program asks for input")
    assert run("explain", "wrong-prompt").stdout == first.stdout
    assert run("explain", "timeout").returncode == 0
    listed = run("explain").stdout
    assert "\nInput\n  wrong-prompt, hidden-input, " in listed
    assert "\nVerdicts\n  " in listed
    assert listed.endswith("\nTests\n  small, closed, at-the-prompt\n")
    assert max(map(len, listed.splitlines())) <= 80
    assert run("explain", "small").stdout == (
        "small: a small number\n"
        "run: python3 double.py   type: 4\n"
        "Run this test alone: python3 grader.pyz --test small\n"
    )
    assert "after 20 seconds" in run("explain", "limits").stdout
    assert "has no network" in run("explain", "sandbox").stdout
    assert run("explain", "causes").stdout == listed
    assert run("explain", "U+FE0F").stdout == "U+FE0F: U+FE0F (variation selector-16); in Python: '\\ufe0f'\n"
    assert "each variant is accepted: canonical, wordy." in run("explain", "wordy").stdout
    assert run("explain", "variant").stdout.split()[1:] == run("explain", "wordy").stdout.split()[1:]
    unknown = run("explain", "wrong-promt")
    assert (unknown.returncode, unknown.stderr) == (2, "`wrong-promt` is not explained; did you mean `wrong-prompt`?\n")
    assert run("--help").stdout.startswith("usage: python3 grader.pyz [-h] {check,watch,")


@pytest.mark.slow
def test_changes_since_the_last_check_are_told(unpacked: Path, secret_course: SmallCourse, tmp_path: Path) -> None:
    folder = secret_course.hand_in("in steps", 'print(2 * int(input("Number:")))\n')
    caches = {"XDG_CACHE_HOME": str(tmp_path / "caches")}

    def checked(program: str) -> list[str]:
        (folder / "double.py").write_text(program)
        return check(unpacked, folder / "double.py", environment=caches).stdout.splitlines()

    assert checked('print(2 * int(input("Number:")))\n')[-1].startswith("0 of 2 tests passed.")
    same = checked('print(2 * int(input("Number:")))  # the same\n')
    assert not any(line.startswith("Since") for line in same)
    assert checked('print(2 * int(input("Number: ")))\n')[-1] == (
        "Since the last check: 2 tests fail for another reason (small, closed)."
    )
    almost = checked('n = int(input("Number: "))\nprint("Double:", 2 * n + n // 5)\n')
    assert "Since the last check: 1 test now passes (small); " in almost[-1]
    again = checked('n = int(input("Number: "))\nprint("Double:", 3 * n)\n')
    assert "Since the last check: 1 test now fails (small)" in again[-1]


def test_a_program_without_a_seed_has_no_other_reasons_and_changes_by_chance(
    unpacked: Path, secret_course: SmallCourse, tmp_path: Path
) -> None:
    folder = secret_course.hand_in("by chance", None)
    caches = {"XDG_CACHE_HOME": str(tmp_path / "caches")}

    def checked(program: str) -> str:
        (folder / "double.py").write_text(f"import random\n{program}")
        return check(unpacked, folder / "double.py", environment=caches).stdout

    checked('print(random.random(), input("Number: "))\n')
    assert "Since the last check" not in checked('print(random.random(), input("Number: "))\n')
    chance = "1 test now passes (small), perhaps by chance, because random numbers have no seed."
    assert checked(RIGHT).splitlines()[-1] == f"Since the last check: {chance}"
    checked('random.seed(4)\nprint(random.random(), input("Number: "))\n')
    assert "fail for another reason" in checked('random.seed(5)\nprint(random.random(), input("Number: "))\n')


def test_a_missing_program_is_told_once(unpacked: Path, secret_course: SmallCourse, tmp_path: Path) -> None:
    folder = secret_course.hand_in("missing twice", RIGHT)
    caches = {"XDG_CACHE_HOME": str(tmp_path / "caches")}
    check(unpacked, folder, environment=caches)
    (folder / "double.py").unlink()
    for _ in range(2):
        run = check(unpacked, folder, environment=caches)
        assert run.stdout.count("missing-file") == 1
        assert "Since the last check" not in run.stdout


@pytest.mark.slow
def test_a_program_is_sought_in_the_folder_that_is_named(bundle: Path, secret_course: SmallCourse) -> None:
    folder = secret_course.hand_in("half", RIGHT)
    (folder / "triple.py").unlink()
    lines = in_folder(bundle, folder).stdout.splitlines()
    assert f"  missing-file   triple.py is not in {folder} or below: 1 test was not run" in lines
    assert any(line.startswith("1 of 2 tests passed; 1 not run.") for line in lines)


@pytest.mark.slow
def test_a_program_with_another_name_is_to_be_renamed(bundle: Path, secret_course: SmallCourse) -> None:
    folder = secret_course.hand_in("renamed", RIGHT)
    (folder / "double.py").rename(folder / "Double.py")
    lines = in_folder(bundle, folder).stdout.splitlines()
    advice = "double.py is missing; there is `Double.py`: if that is your program, rename it to double.py"
    assert f"  note           {advice}" in lines
    alone = in_folder(bundle, folder, "Double.py")
    told = "Double.py is no program of doubles; rename it to double.py if it is your program.\n"
    assert (alone.returncode, alone.stderr) == (2, told)


@pytest.mark.slow
def test_it_says_that_no_test_failed_last_time(unpacked: Path, secret_course: SmallCourse, tmp_path: Path) -> None:
    folder = secret_course.hand_in("fine", RIGHT)
    caches = {"XDG_CACHE_HOME": str(tmp_path / "caches")}
    check(unpacked, folder, "--test", "small", environment=caches)
    run = check(unpacked, folder, "--test", "small", "--last-failed", environment=caches)
    assert "Mind: no test failed last time, so all of them are run." in run.stdout
    assert "1 of 1 tests passed." in run.stdout


@pytest.mark.slow
def test_it_watches(bundle: Path, secret_course: SmallCourse) -> None:
    folder = secret_course.hand_in("watched at home", RIGHT)
    shutil.copy(bundle, folder / "grader.pyz")
    command = [*bare_python(), "grader.pyz", "watch", "double.py", "--test", "small", "--test", "closed"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, encoding="utf-8", env={}) as run:
        assert run.stdout is not None
        lines = iter(run.stdout.readline, "")
        assert any(line.startswith("Waiting for changes") for line in lines)
        (folder / "double.py").write_text("print(1 / 0)\n")
        assert any(line.startswith("Run 2: 0 of") for line in lines)
        assert any(line.startswith("  more: python3 grader.pyz explain crash") for line in lines)
        assert any(line.startswith("  The same in 1 more test: closed") for line in lines)
        run.send_signal(signal.SIGINT)
    assert run.returncode == 1


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["check", "--help"], ["check", "{folder}"]], ids=["help", "check"])
def test_a_pipe_that_nobody_reads_ends_it_without_a_word(
    arguments: list[str], bundle: Path, secret_course: SmallCourse
) -> None:
    folder = secret_course.hand_in(f"unread {len(arguments[1])}", RIGHT)
    command = [*bare_python(), str(bundle), *(argument.format(folder=folder) for argument in arguments)]
    read_end, write_end = os.pipe()
    os.close(read_end)
    run = subprocess.run(command, stdout=write_end, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    os.close(write_end)
    assert (run.returncode, without_progress(run.stderr)) == (141, "")


@pytest.mark.slow
def test_it_speaks_the_language_that_is_chosen(unpacked: Path, secret_course: SmallCourse) -> None:
    program = 'n = int(input("Number: "))\nprint("Double:", 2 * n + n // 5)\n'
    folder = secret_course.hand_in("wrong in Chinese", program)
    run = check(unpacked, folder, "--language", "zh_CN")
    assert run.returncode == 1, run.stderr
    lines = run.stdout.splitlines()
    assert lines[:2] == ["Doubling numbers", "公开测试；程序在资源限制下运行，不使用沙箱。"]
    assert "  第 2 行 `Double: 11` 是第一个错误的行；期望的内容不公开。" in lines
    assert "3 项测试中通过了 2 项。" in lines
    named = check(unpacked, folder, environment={"LANG": "zh_CN.UTF-8"})
    assert named.stdout == run.stdout
    unknown = check(unpacked, folder, "--language", "fr")
    assert (unknown.returncode, unknown.stderr) == (2, "There is no language `fr`; known: en, zh_CN.\n")


@pytest.mark.slow
def test_a_sealed_test_can_be_passed_and_its_variant_is_found(unpacked: Path, secret_course: SmallCourse) -> None:
    program = 'n = int(input("Number: "))\nprint("Twice:", 2 * n)\nif n == 5: print("zq-sealed-expected")\n'
    run = check(unpacked, secret_course.hand_in("wordy", program) / "double.py")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "double.py read as: wordy (an accepted variant)" in run.stdout


@pytest.mark.slow
def test_the_rule_is_quoted_and_every_difference_shown_if_asked(unpacked: Path, secret_course: SmallCourse) -> None:
    program = "n = int(input('Number: '))\nprint('Double:', 3 * n)\nfor line in range(99): print('more', line)\n"
    folder = secret_course.hand_in("three times", program)
    short = check(unpacked, folder, "--show", "1")
    assert short.returncode == 1, short.stderr
    assert f"  The rule here: {RULE}" in short.stdout.splitlines()
    assert "zq-rule" not in short.stdout
    assert "more 98" not in short.stdout
    full = check(unpacked, folder, "--show", "9", "--full")
    assert "more 98" in full.stdout
    # Of the sealed test nothing more is known, so nothing more can be shown.
    assert full.stdout.count("The rule here") == 1
    assert full.stdout.count("more 98") == 1
    assert "zq-" not in full.stdout


@pytest.mark.slow
def test_files_are_found_as_the_assignment_takes_them_in(secret_course: SmallCourse, tmp_path: Path) -> None:
    assignment = replace(
        Course(secret_course.folder).assignment("doubles"),
        submission_policy=SubmissionPolicy(names=FileNamePolicy.IGNORE_CASE),
    )
    bundle = make_file(assignment, tmp_path / "grader.pyz").path
    work = tmp_path / "mine" / "work"
    work.mkdir(parents=True)
    (work / "triple.py").write_text(TRIPLE)
    (work / "Double.py").write_text(RIGHT)
    run = check(bundle, tmp_path / "mine")
    assert "  passed         at-the-prompt" in run.stdout.splitlines(), run.stdout + run.stderr
    assert "  passed         small: a small number" in run.stdout.splitlines()


def test_faults_of_the_command_line(
    secret_course: SmallCourse, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assignment = Course(secret_course.folder).assignment("doubles")
    for name, content in data_files(assignment, public_content(assignment)).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    assert main(tmp_path / "data", ["check", "nothing.py"]) == 2
    assert capsys.readouterr().err == "There is no file or folder nothing.py.\n"
    (tmp_path / "other.py").touch()
    assert main(tmp_path / "data", ["check", str(tmp_path / "other.py")]) == 2
    expected = "other.py is no program of doubles; expected one of: double.py, triple.py.\n"
    assert capsys.readouterr().err == expected
    with pytest.raises(SystemExit):
        main(tmp_path / "data", ["check", "--help"])
    assert capsys.readouterr().out.startswith("usage: ")


@pytest.mark.slow
def test_a_fresh_environment_without_packages(bundle: Path, secret_course: SmallCourse, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "bare"], check=True)
    python = tmp_path / "bare" / "bin" / "python3"
    command = [str(python), str(bundle), "check", str(secret_course.hand_in("bare", RIGHT) / "triple.py")]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, without_progress(run.stderr)) == (0, "")


@pytest.mark.slow
def test_functions_and_provided_modules_on_a_bare_python(tmp_path: Path) -> None:
    root = ROOT
    folder = make_folder(Course(root).assignment("cse231-proj10"), tmp_path / "self check").path
    run = check(folder, root / "submissions" / "cse231-proj10" / "aces-low-win-too-early", "--show", "100")
    assert run.returncode == 1, run.stderr
    assert "22 of 29 tests passed." in run.stdout
    assert "The function returns the wrong value" in run.stdout
    assert "Your course provides cards.py: put a copy beside your program to run it yourself.\n" in run.stdout
    assert "PROVIDED_… before a command are settings that cards.py reads.\n" in run.stdout


@pytest.mark.slow
def test_a_large_checker_on_a_bare_python(tmp_path: Path) -> None:
    root = ROOT
    assignment = Course(root).assignment("cs509-2003-pa3")
    with pytest.raises(BundleError, match="without a checker; --checkers would hand these out too"):
        make_file(assignment, tmp_path / "grader.pyz")
    bundle = make_file(assignment, tmp_path / "grader.pyz", checkers=True)
    assert bundle.left_out == 0
    run = check(
        bundle.path, root / "submissions" / "cs509-2003-pa3" / "greedy-is-not-best" / "accordion.py", "--show", "1"
    )
    assert run.returncode == 1, run.stderr
    assert "\n  passed         " in run.stdout
    assert "internal-error" not in run.stdout


@pytest.mark.slow
def test_a_checker_with_a_module_on_a_bare_python(small_course: SmallCourse, tmp_path: Path) -> None:
    folder = small_course.folder
    (folder / "checkers").mkdir()
    (folder / "checkers" / "even.py").write_text(
        "from grader.checkers import passed, wrong\nfrom words import SAID\n\n"
        "def check(input, expected, actual):\n    return wrong(SAID) if '9' in actual.stdout else passed()\n"
    )
    (folder / "checkers" / "words.py").write_text("SAID = 'nine is odd'\n")
    tests = folder / "test_specs" / "doubles" / "tests" / "double.yaml"
    tests.write_text(tests.read_text().replace("input: [4]", "input: [4], checker: even"))
    bundle = make_file(Course(folder).assignment("doubles"), tmp_path / "grader.pyz", checkers=True).path
    program = small_course.hand_in("odd", 'input("? ")\nprint("9")\n') / "double.py"
    run = check(bundle, program)
    assert (run.returncode, without_progress(run.stderr)) == (1, "")
    assert "  nine is odd" in run.stdout


@pytest.mark.slow
def test_it_can_be_interrupted(bundle: Path, secret_course: SmallCourse, tmp_path: Path) -> None:
    started = tmp_path / "started"
    os.mkfifo(started)
    program = secret_course.hand_in("endless", f"open({str(started)!r}, 'w').close()\nwhile True: pass\n") / "double.py"
    command = [*bare_python(), str(bundle), "check", str(program)]
    with subprocess.Popen(command, env={}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        # Opens when the program opens its end.
        started.read_text()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    assert process.returncode == 130
    assert said.splitlines()[-1] == "Interrupted."


@pytest.mark.slow
def test_a_folder_can_be_installed(secret_course: SmallCourse, tmp_path: Path) -> None:
    if find_spec("setuptools") is None:
        pytest.skip("setuptools is not installed")
    folder = make_folder(Course(secret_course.folder).assignment("doubles"), tmp_path / "self-check").path
    target = tmp_path / "installed"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    options = ["--no-build-isolation", "--no-index", "--no-deps", "--target", str(target)]
    subprocess.run([*pip, *options, str(folder)], check=True, capture_output=True, text=True)
    program = secret_course.hand_in("installed", RIGHT) / "triple.py"
    run = subprocess.run(
        [sys.executable, target / "bin" / "grader-check", "check", program],
        env={**os.environ, "PYTHONPATH": str(target)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, without_progress(run.stderr)) == (0, "")
    assert "1 of 1 tests passed." in run.stdout


@pytest.mark.slow
def test_the_command(secret_course: SmallCourse, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "grader", "bundle", "doubles", "--course", str(secret_course.folder)]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (run.returncode, without_progress(run.stderr)) == (0, "")
    assert run.stdout == (
        "grader.pyz: 3 public tests, 1 of them sealed.\nStudents run: python3 grader.pyz check double.py\n"
    )
    assert (tmp_path / "grader.pyz").is_file()


@pytest.mark.slow
def test_a_working_folder_that_is_gone_is_told(bundle: Path, secret_course: SmallCourse, tmp_path: Path) -> None:
    folder = secret_course.hand_in("gone", RIGHT)
    (gone := tmp_path / "gone").mkdir()
    command = f"rmdir '{gone}' && exec {' '.join(bare_python())} '{bundle}' check '{folder}'"
    run = subprocess.run(["/bin/sh", "-c", command], cwd=gone, capture_output=True, encoding="utf-8", check=False)
    said = "The folder that you are in is not there any more (No such file or directory): go to it again with `cd`.\n"
    assert (run.returncode, run.stdout, run.stderr) == (2, "", said)
