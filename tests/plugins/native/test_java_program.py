"""Programs in Java whose files name packages, wherever an upload has put them, or have `main` in another class."""

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.assignment import Isolation
from grader.model.interaction import FunctionCall, StdinRun
from grader.model.outcome import Outcome
from grader.model.program import BuildCommands, Limits
from grader.model.test import Test
from grader.run.builds import fitted_test
from grader.run.environment import RunEnvironment
from grader.spec.languages import BUILD_LIMITS, BuildEntry, recipe
from grader.spec.tests_file import USUAL_CHECKS
from tests.building import TEST

needs_java = pytest.mark.skipif(not shutil.which("javac"), reason="needs the Debian package default-jdk-headless")

LIMITS = Limits(wall_seconds=60, memory_bytes=4 << 30, processes=256)
RECIPE = recipe("Bank.java", BuildEntry(flags=("-g",)), None, BUILD_LIMITS)
BANK = replace(TEST, id="prints", program="Bank.java", recipe=RECIPE, interaction=StdinRun(None, ""))
HEAD = "// package wrong;\n/* package wrong; */ /***/\n"
SOURCE = """\
public class Bank {
    static class Closed extends RuntimeException { }
    static int twice(int n) { return 2 * n; }
    static void close() { throw new Closed(); }
    public static void main(String[] arguments) { System.out.println(new Account().hello()); }
}
"""
ACCOUNT = 'public class Account { public String hello() { return "hello"; } }\n'


def write(folder: Path, files: Mapping[str, str]) -> tuple[tuple[Path, str], ...]:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    return tuple((folder / name, name) for name in files)


def commands(folder: Path, files: Mapping[str, str], test: Test = BANK) -> tuple[tuple[str, ...] | None, str]:
    recipe = fitted_test(test, write(folder, files)).recipe
    assert recipe is not None
    return recipe.build, recipe.run[-1]


@pytest.mark.parametrize("head", ["package lab;", f"{HEAD}package lab ;", "\n\tpackage\nlab;"])
def test_a_package_is_found(head: str, tmp_path: Path) -> None:
    found = commands(tmp_path, {"Bank.java": head + SOURCE, "Account.java": f"package lab; {ACCOUNT}", "a.txt": ""})
    assert found == (("javac", "-d", ".", "-g", "Account.java", "Bank.java"), "lab.Bank")


@pytest.mark.parametrize(
    "files",
    [
        {"Bank.java": SOURCE, "Account.java": ACCOUNT},
        {"Bank.java": f"{HEAD}{SOURCE}"},
        {"Bank.java": "import java.util.*; // package lab;\n" + SOURCE},
        {"Bank.java": SOURCE, "lab/tools/Account.java": f"package lab.tools; {ACCOUNT}"},
    ],
)
def test_without_packages_out_of_place_the_usual_commands_stay(files: Mapping[str, str], tmp_path: Path) -> None:
    assert fitted_test(BANK, write(tmp_path, files)) == BANK


def test_of_copies_the_one_beside_the_program_counts(tmp_path: Path) -> None:
    account = f"package lab.tools; {ACCOUNT}"
    files = {"Bank.java": SOURCE, "Account.java": account, "A/Account.java": account, "src/x/B.java": "package x;"}
    assert commands(tmp_path, files)[0] == ("javac", "-d", ".", "-g", "Account.java", "src/x/B.java", "Bank.java")


def test_commands_of_the_course_stay(tmp_path: Path) -> None:
    own = BuildCommands(build=("javac", "Bank.java"), run=("java", "Bank"), limits=BUILD_LIMITS)
    test = replace(BANK, recipe=own)
    assert fitted_test(test, write(tmp_path, {"Bank.java": f"package lab; {SOURCE}"})) == test


def test_comments_without_an_end_take_no_time(tmp_path: Path) -> None:
    test = fitted_test(BANK, write(tmp_path, {"Bank.java": "/**/" * 20_000 + "/*" + "*" * 10_000}))
    assert test == BANK


MAIN = "public static void main(String[] arguments) { }"
OTHER = f"class Other {{ {MAIN} }}"


@pytest.mark.parametrize(
    ("source", "run"),
    [
        (f"class Main {{ {MAIN} }}", "Main"),
        (f"class bank {{ {MAIN} }}", "bank"),
        (f"package lab; class Main {{ {MAIN} }}", "lab.Main"),
        (f"class Main {{ int twice() {{ return 2; }} {MAIN} }} class Helper {{ void open() {{ }} }}", "Main"),
        (f"class Bank {{ int balance; }} {OTHER}", "Other"),
        (f"interface Main {{ {MAIN} }}", "Main"),
        ("enum Main { ONE { void main() { } }; static void main(String... words) { } }", "Main"),
        (f"class Bank {{ {MAIN} }} {OTHER}", "Bank"),
        (f"class Main {{ {MAIN} }} {OTHER}", "Bank"),
        (f"class Bank {{ static {OTHER} }}", "Bank"),
        ("class Bank { int balance; } class Other { void remain(int n) { } }", "Bank"),
        (f"/* {OTHER} */ class Bank {{ }}", "Bank"),
        (f"// {OTHER}\nclass Bank {{ }}", "Bank"),
        (f'/* class Bank {{ {MAIN} }} */ class Main {{ String brace = "}}\\"{{"; char c = \'}}\'; {MAIN} }}', "Main"),
        (f'class Main {{ String text = """\n}}"\n\\"""}} // """; {MAIN} }}', "Main"),
        (f"class Bank {{ }} /* {OTHER}", "Bank"),
        (f"\ufeffpackage lab; {OTHER}", "lab.Other"),
    ],
)
def test_a_single_other_class_with_main_is_run(source: str, run: str, tmp_path: Path) -> None:
    assert commands(tmp_path, {"Bank.java": source})[1] == run


def test_main_of_another_file_is_not_run(tmp_path: Path) -> None:
    files = {"Bank.java": "class Bank { }", "Other.java": OTHER}
    assert fitted_test(BANK, write(tmp_path, files)) == BANK


@pytest.mark.parametrize("piece", ["/*", '"', '"\\', "'", '"""', "void ", "class ", "{", "main("])
def test_no_source_takes_long(piece: str, tmp_path: Path) -> None:
    assert fitted_test(BANK, write(tmp_path, {"Bank.java": piece * 100_000})) == BANK


def call(*calls: str) -> Test:
    function = FunctionCall(calls=calls, variables={}, setup=(), checks=frozenset(USUAL_CHECKS), cards=None, lines=())
    return replace(BANK, id=calls[0], interaction=function)


def outcomes(environment: RunEnvironment, files: Mapping[str, str], folder: Path, *tests: Test) -> list[Outcome]:
    with environment.runner(write(folder, files), tests) as runner:
        return [runner.run(test, LIMITS, Isolation.FRESH_PROCESS, {}) for test in tests]


@needs_java
@pytest.mark.slow
@pytest.mark.parametrize("account", ["Account.java", "lab/Account.java"])
def test_a_program_in_a_package_is_run_and_called(account: str, environment: RunEnvironment, tmp_path: Path) -> None:
    files = {"Bank.java": f"package lab;\n{SOURCE}", account: f"package lab;\n{ACCOUNT}"}
    tests = (BANK, call("Bank.twice(4)", "new Account().hello()"), call("Bank.close()"))
    printed, returned, raised = outcomes(environment, files, tmp_path, *tests)
    assert (printed.transcript, printed.exit_code) == ("hello\n", 0)
    assert returned.call is not None, returned.transcript
    assert [step.returned for step in returned.call.steps] == [8, "hello"]
    assert raised.call is not None, raised.transcript
    assert raised.call.steps[0].raised is not None
    assert raised.call.steps[0].raised.types[0] == ".Closed"


@needs_java
@pytest.mark.slow
def test_a_program_without_a_package_uses_one(environment: RunEnvironment, tmp_path: Path) -> None:
    files = {"Bank.java": f"import lab.Account;\n{SOURCE}", "Account.java": f"package lab;\n{ACCOUNT}"}
    (printed,) = outcomes(environment, files, tmp_path, BANK)
    assert (printed.transcript, printed.exit_code) == ("hello\n", 0)


@needs_java
@pytest.mark.slow
def test_main_in_another_class_is_run_and_called_despite_marks_of_editors(
    environment: RunEnvironment, tmp_path: Path
) -> None:
    source = SOURCE.replace("public class Bank", "class Main").replace("new Account().hello()", "GraderReport.HELLO")
    files = {
        "Bank.java": f"\ufeff{source}",
        "GraderReport.java": '\ufeffclass GraderReport { static String HELLO = "hello"; }',
    }
    printed, returned = outcomes(environment, files, tmp_path, BANK, call("Main.twice(4)", "GraderReport.HELLO"))
    assert (printed.transcript, printed.exit_code) == ("hello\n", 0)
    assert returned.call is not None, returned.transcript
    assert [step.returned for step in returned.call.steps] == [8, "hello"]


@needs_java
@pytest.mark.slow
def test_several_other_classes_with_main_are_told(environment: RunEnvironment, tmp_path: Path) -> None:
    (printed,) = outcomes(environment, {"Bank.java": f"class Main {{ {MAIN} }} {OTHER}"}, tmp_path, BANK)
    assert "Could not find or load main class Bank" in printed.errors
    assert printed.exit_code == 1
