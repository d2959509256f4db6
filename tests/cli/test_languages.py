"""Assignments in C++, Java, JavaScript and Rust, graded in sandboxes; the reference is in Python."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_grade import by_student
from tests.conftest import RIGHT, Grader, SmallCourse
from tests.sandbox import needs_sandbox

ASSIGNMENT = """\
format: 1
id: doubles
title: Doubling numbers
programs:
  - file: {file}
    reference: double.py
{commands}parts:
  - {{id: doubles, title: Doubling, marks: 2}}
due: 2025-10-27 11:59
time_zone: Australia/Sydney
limits: {{wall_seconds: 20, memory_bytes: 2147483648, processes: 256}}
build_limits: {{wall_seconds: {seconds}, memory_bytes: 3221225472}}
"""

TESTS = """\
format: 1
program: {file}
part: doubles
points: 1
tests:
  - {{id: small, visibility: public, input: [4]}}
  - {{id: large, visibility: public, input: [400]}}
"""

CPP = """\
#include <cstdio>
int main() {
    int number;
    std::printf("Number: "); std::fflush(stdout);
    if (std::scanf("%d", &number) != 1) return 1;
    std::printf("Double: %d\\n", 2 * number);
}
"""

JAVA = """\
import java.util.Scanner;
public class Double {
    public static void main(String[] args) {
        System.out.print("Number: ");
        int number = new Scanner(System.in).nextInt();
        System.out.println("Double: " + 2 * number);
    }
}
"""

TEMPLATE_BOMB = """\
template<int N, int M> struct Bomb {
    static const int value = Bomb<N - 1, 2 * M>::value + Bomb<N - 1, 2 * M + 1>::value;
};
template<int M> struct Bomb<0, M> { static const int value = M; };
int main() { return Bomb<25, 0>::value; }
"""


@dataclass(frozen=True)
class Language:
    file: str
    right: str
    build: str = ""
    run: str = ""

    @property
    def commands(self) -> str:
        """The commands as assignment.yaml has them; without any the usual ones are meant."""
        return f"    build: {self.build}\n    run: {self.run}\n" if self.build else ""

    def prepare(self, course: SmallCourse, seconds: int = 60) -> None:
        spec = course.folder / "test_specs" / "doubles"
        for file in (*spec.glob("tests/*"), *spec.glob("expected/*")):
            file.unlink()
        words = {"file": self.file, "commands": self.commands, "seconds": seconds}
        (spec / "assignment.yaml").write_text(ASSIGNMENT.format_map(words))
        (spec / "tests" / "double.yaml").write_text(TESTS.format_map(words))

    def hand_in(self, course: SmallCourse, student: str, source: str) -> Path:
        folder = course.students / student
        folder.mkdir(parents=True)
        (folder / self.file).write_text(source)
        (folder / "submission.yaml").write_text("submitted: 2025-10-27 11:00\n")
        return folder


CPLUSPLUS = Language("double.cpp", CPP, "[g++, -O2, -o, double, double.cpp]", "[./double]")
IN_JAVA = Language("Double.java", JAVA, "[javac, Double.java]", "[java, -XX:+UseSerialGC, Double]")
RUST = Language(
    "double.rs",
    """\
use std::io::{self, Write};
fn main() {
    print!("Number: ");
    io::stdout().flush().unwrap();
    let mut line = String::new();
    io::stdin().read_line(&mut line).unwrap();
    let number: i64 = line.trim().parse().unwrap();
    println!("Double: {}", 2 * number);
}
""",
)
JAVASCRIPT = Language(
    "double.js",
    """\
const readline = require('readline');
const terminal = readline.createInterface({ input: process.stdin, output: process.stdout });
terminal.question('Number: ', (line) => {
  const number = parseInt(line);
  console.log('Double: ' + 2 * number);
  terminal.close();
});
""",
)
MODULE = Language(
    "double.mjs",
    """\
import { createInterface } from 'node:readline/promises';
const terminal = createInterface({ input: process.stdin, output: process.stdout });
const number = parseInt(await terminal.question('Number: '));
console.log('Double: ' + 2 * number);
terminal.close();
""",
)

needs_cplusplus = pytest.mark.skipif(not shutil.which("g++"), reason="needs the Debian package g++")
needs_java = pytest.mark.skipif(not shutil.which("javac"), reason="needs the Debian package default-jdk-headless")
needs_rust = pytest.mark.skipif(not shutil.which("rustc"), reason="needs the Debian package rustc")
needs_node = pytest.mark.skipif(not shutil.which("node"), reason="needs the Debian package nodejs")
LANGUAGES = [
    pytest.param(CPLUSPLUS, marks=needs_cplusplus),
    pytest.param(IN_JAVA, marks=[needs_java, pytest.mark.slow]),
]


def verdicts(entry: dict[str, Any]) -> list[str]:
    return [test["verdict"] for test in entry["tests"]]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.file)
@pytest.mark.parametrize(
    "sandbox", [pytest.param("bwrap", marks=needs_sandbox), pytest.param("none", marks=pytest.mark.slow)]
)
def test_right_wrong_and_not_compiling(
    language: Language, sandbox: str, grader: Grader, small_course: SmallCourse
) -> None:
    language.prepare(small_course)
    language.hand_in(small_course, "faulty", language.right.replace("2 *", "2 # 3 *"))
    language.hand_in(small_course, "right", language.right)
    language.hand_in(small_course, "wrong", language.right.replace("2 *", "3 *"))
    generated = grader("generate", "doubles")
    assert generated.returncode == 0, generated.stdout + generated.stderr
    run = grader("grade", "submissions", "--sandbox", sandbox)
    assert run.returncode == 0, run.stdout + run.stderr
    graded = by_student(small_course)
    assert verdicts(graded["right"]) == ["passed"] * 2
    assert verdicts(graded["wrong"]) == ["wrong-output"] * 2
    assert verdicts(graded["faulty"]) == ["build-error"] * 2
    sentence = graded["faulty"]["tests"][0]["diagnosis"]
    command = " ".join(language.build.strip("[]").split(", "))
    begun = f"The program cannot be built: `{command}` ended with exit status 1; it says `{language.file}:"
    assert sentence.startswith(begun)
    feedback = (small_course.reports / "students" / "faulty.txt").read_text()
    assert "2 # 3 * number" in feedback
    assert f"run: {command} && " in feedback


def sentences(entry: dict[str, Any]) -> set[str]:
    return {test["diagnosis"] for test in entry["tests"]}


@pytest.mark.slow
@pytest.mark.parametrize(
    "sandbox", [pytest.param("bwrap", marks=needs_sandbox), pytest.param("none", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize(
    "language",
    [pytest.param(JAVASCRIPT, marks=needs_node), pytest.param(MODULE, marks=[needs_node, pytest.mark.slow])],
    ids=lambda language: language.file,
)
def test_javascript_by_its_usual_command(
    language: Language, sandbox: str, grader: Grader, small_course: SmallCourse
) -> None:
    language.prepare(small_course)
    language.hand_in(small_course, "faulty", language.right.replace("2 *", "2 = * "))
    language.hand_in(small_course, "right", language.right)
    language.hand_in(small_course, "throws", language.right.replace("2 *", "number.half.value *"))
    language.hand_in(small_course, "wrong", language.right.replace("2 *", "3 *"))
    assert grader("generate", "doubles").returncode == 0
    run = grader("grade", "submissions", "--sandbox", sandbox)
    assert run.returncode == 0, run.stdout + run.stderr
    graded = by_student(small_course)
    assert {student: set(verdicts(entry)) for student, entry in graded.items()} == {
        "faulty": {"crash"},
        "right": {"passed"},
        "throws": {"crash"},
        "wrong": {"wrong-output"},
    }
    (faulty,), (throws,) = sentences(graded["faulty"]), sentences(graded["throws"])
    assert faulty.startswith("Node cannot read the program: SyntaxError: ")
    line = 1 + language.right[: language.right.index("2 *")].count("\n")
    assert throws.startswith(f"The program stops in line {line} (`console.log(")
    assert "with TypeError: Cannot read properties of undefined (reading 'value')" in throws


@needs_rust
@pytest.mark.slow
@pytest.mark.parametrize("sandbox", [pytest.param("bwrap", marks=needs_sandbox), "none"])
def test_rust_by_its_usual_commands(sandbox: str, grader: Grader, small_course: SmallCourse) -> None:
    RUST.prepare(small_course)
    RUST.hand_in(small_course, "faulty", RUST.right.replace("2 *", "two *"))
    RUST.hand_in(small_course, "panics", RUST.right.replace("2 *", "[1, 2][number as usize] *"))
    RUST.hand_in(small_course, "right", RUST.right)
    RUST.hand_in(small_course, "wrong", RUST.right.replace("2 *", "3 *"))
    assert grader("generate", "doubles").returncode == 0
    run = grader("grade", "submissions", "--sandbox", sandbox)
    assert run.returncode == 0, run.stdout + run.stderr
    graded = by_student(small_course)
    assert {student: set(verdicts(entry)) for student, entry in graded.items()} == {
        "faulty": {"build-error"},
        "panics": {"crash"},
        "right": {"passed"},
        "wrong": {"wrong-output"},
    }
    assert "cannot find value `two`" in next(iter(sentences(graded["faulty"])))
    small = "The program stops in line 8 with a panic: index out of bounds: the len is 2 but the index is 4."
    assert small in sentences(graded["panics"])


@pytest.mark.slow
@needs_cplusplus
def test_an_error_that_a_sanitizer_finds(grader: Grader, small_course: SmallCourse) -> None:
    CPLUSPLUS.prepare(small_course)
    spec = small_course.folder / "test_specs" / "doubles" / "assignment.yaml"
    spec.write_text(spec.read_text().replace(CPLUSPLUS.commands, "    build: {sanitizers: [address, undefined]}\n"))
    CPLUSPLUS.hand_in(small_course, "leaks", CPP.replace("int number;", "int number; new int[number = 5];"))
    CPLUSPLUS.hand_in(small_course, "right", CPP)
    assert grader("generate", "doubles").returncode == 0
    assert grader("grade", "submissions").returncode == 0
    graded = by_student(small_course)
    assert verdicts(graded["right"]) == ["passed"] * 2
    assert verdicts(graded["leaks"]) == ["runtime-error"] * 2
    assert sentences(graded["leaks"]) == {
        "The program never frees 20 bytes that it allocates, in line 3 of `double.cpp`."
    }
    feedback = (small_course.reports / "students" / "leaks.txt").read_text()
    command = "g++ -o double double.cpp -g -fno-omit-frame-pointer -fsanitize=address,undefined -lm"
    assert f"run: {command} && ./double" in feedback


@pytest.mark.slow
@needs_cplusplus
@pytest.mark.parametrize(
    "sandbox", [pytest.param("bwrap", marks=needs_sandbox), pytest.param("none", marks=pytest.mark.slow)]
)
def test_one_of_two_languages(sandbox: str, grader: Grader, small_course: SmallCourse) -> None:
    CPLUSPLUS.prepare(small_course)
    spec = small_course.folder / "test_specs" / "doubles"
    recipe = f"{{file: double.cpp, build: {CPLUSPLUS.build}, run: {CPLUSPLUS.run}}}"
    programs = f"programs: [{{file: double.py, alternatives: [{recipe}]}}]\n"
    text = (spec / "assignment.yaml").read_text()
    (spec / "assignment.yaml").write_text(re.sub(r"programs:\n.*?(?=parts)", programs, text, flags=re.DOTALL))
    (spec / "tests" / "double.yaml").write_text(TESTS.format(file="double.py"))
    faulty = CPP.replace("2 *", "2 # 3 *")
    for student, sources in {
        "both": {"double.py": RIGHT, "double.cpp": faulty},
        "cplusplus": {"double.cpp": CPP},
        "faulty": {"double.cpp": faulty},
        "neither": {},
        "python": {"double.py": RIGHT},
    }.items():
        (small_course.students / student).mkdir(parents=True)
        (small_course.students / student / "submission.yaml").write_text("submitted: 2025-10-27 11:00\n")
        for name, source in sources.items():
            (small_course.students / student / name).write_text(source)
    assert grader("generate", "doubles").returncode == 0
    run = grader("grade", "submissions", "--sandbox", sandbox)
    assert run.returncode == 0, run.stdout + run.stderr
    graded = by_student(small_course)
    assert {student: set(verdicts(entry)) for student, entry in graded.items()} == {
        "both": {"passed"},
        "cplusplus": {"passed"},
        "faulty": {"build-error"},
        "neither": {"missing-file"},
        "python": {"passed"},
    }
    assert "double.cpp is passed over: double.py is there" in graded["both"]["notes"]
    missing = "There is no file double.py or double.cpp in the submission."
    assert graded["neither"]["tests"][0]["diagnosis"] == missing
    assert grader("check", small_course.students / "cplusplus").returncode == 0
    assert grader("check", small_course.students / "cplusplus" / "double.cpp").returncode == 0
    assert grader("check", small_course.students / "faulty" / "double.cpp").returncode == 1


@pytest.mark.slow
@needs_cplusplus
@pytest.mark.parametrize(
    "source",
    [
        '#include "/dev/tty"',
        pytest.param(TEMPLATE_BOMB, marks=pytest.mark.slow),
        pytest.param('#include "/dev/zero"', marks=pytest.mark.slow),
        pytest.param('#include "/dev/random"', marks=pytest.mark.slow),
    ],
)
def test_a_compiler_that_does_not_end(source: str, grader: Grader, small_course: SmallCourse) -> None:
    CPLUSPLUS.prepare(small_course, seconds=3)
    CPLUSPLUS.hand_in(small_course, "bomb", source)
    CPLUSPLUS.hand_in(small_course, "right", CPP)
    assert grader("generate", "doubles").returncode == 0
    assert grader("grade", "submissions").returncode == 0
    graded = by_student(small_course)
    assert verdicts(graded["bomb"]) == ["build-error"] * 2
    assert verdicts(graded["right"]) == ["passed"] * 2


@needs_cplusplus
def test_a_compiler_sees_nothing_of_the_course(grader: Grader, small_course: SmallCourse) -> None:
    CPLUSPLUS.prepare(small_course)
    secret = small_course.folder / "reference" / "double.py"
    CPLUSPLUS.hand_in(small_course, "spy", f'#include "{secret}"\n')
    CPLUSPLUS.hand_in(small_course, "crash", "int main() { int *nowhere = nullptr; return *(volatile int *) nowhere; }")
    assert grader("generate", "doubles").returncode == 0
    assert grader("grade", "submissions").returncode == 0
    graded = by_student(small_course)
    assert verdicts(graded["spy"]) == ["build-error"] * 2
    assert "double.py: No such file or directory" in (small_course.reports / "students" / "spy.txt").read_text()
    assert graded["crash"]["tests"][0]["diagnosis"].startswith("The program was ended by SIGSEGV: it used memory")


@pytest.mark.slow
@needs_cplusplus
def test_a_self_check_and_a_reference_in_the_same_language(grader: Grader, small_course: SmallCourse) -> None:
    CPLUSPLUS.prepare(small_course)
    spec = small_course.folder / "test_specs" / "doubles" / "assignment.yaml"
    spec.write_text(spec.read_text().replace("reference: double.py", "reference: double.cpp"))
    (small_course.folder / "reference" / "double.cpp").write_text(CPP)
    assert grader("generate", "doubles").returncode == 0
    right = CPLUSPLUS.hand_in(small_course, "right", CPP)
    faulty = CPLUSPLUS.hand_in(small_course, "faulty", "int main() { return x; }")
    assert grader("check", right).returncode == 0
    run = grader("check", faulty)
    assert run.returncode == 1
    assert "build-error" in run.stdout
    assert "return x" in run.stdout
