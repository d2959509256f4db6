"""`grader import tested`: suites become tests, in YAML and in JSON, and each program gets its label."""

import json
from pathlib import Path
from typing import Any

import pytest

from grader.errors import GraderError
from grader.plugins.importing.api import import_tested
from grader.plugins.importing.course_draft import ImportedAssignment
from grader.plugins.importing.tested.code_writer import CodeWriter
from grader.plugins.importing.tested.cplusplus_code import CplusplusWriter
from grader.plugins.importing.tested.expressions import (
    NoFormError,
    is_assignment,
    json_line,
    parse_line,
    pascal_case,
    snake_case,
)
from grader.plugins.importing.tested.java_code import JavaWriter
from grader.plugins.importing.tested.python_code import value_in_python
from tests.plugins.importing.packages import verdicts, write, written
from tests.prepared_grader import PreparedGrader
from tests.sandbox import needs_sandbox

CORRECT = """\
import sys


class LevelMeter:
    def __init__(self, level):
        self.level = level

    def add(self, amount=1):
        self.level += amount
        return self


MAX_LEVEL = 9


def load_file(name):
    with open(name) as file:
        return file.read().strip()


def half(number):
    return number / 2


def pairs(count):
    return [(one, str(one)) for one in range(count)]


def card(number):
    return ["K♠", "XX"][number]


def check(level):
    if level > MAX_LEVEL:
        print("too much")
        raise ValueError("too high")
    print("fine")


if __name__ == "__main__":
    name = input()
    print("hello", name, *sys.argv[1:])
    if len(sys.argv) > 2:
        print("too many", file=sys.stderr)
        sys.exit(2)
"""
SUITE = """\
config:
  stdout: {ignoreWhitespace: false}
tabs:
- tab: Main calls
  testcases:
  - {stdin: Ada, stdout: hello Ada, description: one name}
  - stdin: Ada
    arguments: [x]
    stdout: {data: "HELLO ADA X   ", config: {ignoreWhitespace: true, caseInsensitive: true}}
  - {stdin: Bo, arguments: [a, b], stdout: hello Bo a b, stderr: too many, exit_code: 2}
- tab: Functions
  contexts:
  - testcases:
    - statement: m = Level_meter(3)
    - {expression: m.level, return: 3}
    - statement: m.add(2)
    - {expression: m.add().level, return: 6}
  - testcases:
    - {expression: "half(3)", return: 1.5}
    - {expression: "pairs(2)", return: !expression "[(0, '0'), (1, '1')]"}
    - {expression: "MAX_LEVEL", return: 9}
    - {expression: "loadFile('in.txt')", return: "5", input_files: [{path: in.txt, content: "5"}]}
    - {expression: "check(3)", stdout: fine}
    - {expression: "check(10)", stdout: too much, exception: {message: too high, types: {python: ValueError, java: E}}}
    - {expression: "card(0)", return: "K♠"}
  - testcases:
    - {expression: {java: "Submission.x()"}, return: 1}
"""
EXERCISE = {
    "config.json": '{"description": {"names": {"nl": "Meters", "en": "Levels"}}}',
    "evaluation/suite.yaml": SUITE,
    "solution/correct.py": CORRECT,
    "solution/wrong.py": CORRECT.replace("number / 2", "number // 2").replace('"fine"', '"good"'),
    "solution/run-error.py": "1 / 0\n",
    "solution/correct.cpp": "int main() {}\n",
}


def entries(made: ImportedAssignment) -> list[dict[str, Any]]:
    """The tests as they are written."""
    return list(written(made, "tests/tests.yaml")["tests"])


@pytest.mark.slow
@needs_sandbox
def test_an_exercise(tmp_path: Path) -> None:
    made = import_tested(write(tmp_path / "levels", EXERCISE), into=tmp_path / "course")
    found = verdicts(made)
    assert set(found["correct-correct.py"]) == {"passed"}
    assert len(found["correct-correct.py"]) == made.tests == 12
    by_id = dict(zip((test["id"] for test in entries(made)), found["wrong-wrong.py"], strict=True))
    assert {name for name, verdict in by_id.items() if verdict != "passed"} == {"functions-3", "functions-7"}
    assert set(found["runtime-error-run-error.py"]) == {"crash"}
    assert any("correct.cpp: not imported; the functions are called in Python" in note for note in made.notes)
    assert any("it is not for Python" in note for note in made.notes)


def test_what_the_tests_say(tmp_path: Path) -> None:
    made = import_tested(write(tmp_path / "levels", EXERCISE), into=tmp_path / "course")
    first, second, third, *functions = entries(made)
    assert (first["title"], first["expected"], first["exit_status"]) == ("one name", "hello Ada\n", "any")
    assert second["checker"] == third["checker"] == "tested_output"
    assert third["exit_status"] == "2"
    said = json.loads((made.course / "checkers" / third["checker_options"]["says"]).read_text())
    assert (said["stdout"]["text"], said["stderr"]["text"]) == ("hello Bo a b\n", "too many\n")
    assert functions[1] == {
        "id": "functions-2",
        "setup": [
            "import contextlib",
            "m = LevelMeter(3)",
            "m.level",
            "with contextlib.suppress(BaseException): m.add(2)",
        ],
        "call": "m.add().level",
        "returns": "6",
        "prints": "",
    }
    assert (functions[2]["returns"], functions[2]["compare"]) == ("1.5", {"relative_tolerance": "0.000000001"})
    assert functions[3]["returns"] == [{"tuple": ["0", "0"]}, {"tuple": ["1", "1"]}]
    assert functions[5]["call"] == "load_file('in.txt')"
    assert functions[7]["raises"] == {"type": "ValueError", "message": "too high"}
    assert functions[7]["prints"] == "too much\n"
    assert functions[8]["returns"] == {"text": "K♠"}
    assert "The prompts of `input` are part of the output here; TESTed hides them." in made.notes
    assert functions[8]["setup"][-1] == "with contextlib.suppress(BaseException): check(10)"


FUNCTIONS = {
    "config.json": '{"programming_language": "cpp"}',
    "evaluation/suite.yaml": """\
namespace: level_meter
tabs:
- tab: Functions
  testcases:
  - {stdin: "3", stdout: "4"}
  - {expression: next_level(3), return: 4}
  - {expression: {c: next_level(1 + 1), cpp: next_level(1 + 1), java: LevelMeter.nextLevel(1 + 1)}, return: 3}
- tab: Containers
  contexts:
  - testcases:
    - statement: levels = [3, 4]
    - {expression: "highest(levels, 'm')", return: "m4"}
  - testcases:
    - expression: highest([0], '')
      exception: {message: none, types: {cpp: "std::range_error", java: ArithmeticException}}
    - {expression: "highest([1], '')", return: "1"}
""",
    "solution/correct.c": """\
#include <stdio.h>
int next_level(int level) { return level + 1; }
int main(void) { int level; scanf("%d", &level); printf("%d\\n", next_level(level)); }
""",
    "solution/correct.cpp": """\
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>
int next_level(int level) { return level + 1; }
std::string highest(const std::vector<std::intmax_t> &levels, std::string unit) {
    auto found = *std::max_element(levels.begin(), levels.end());
    if (!found) throw std::range_error("none");
    return unit + std::to_string(found);
}
int main() { int level; std::cin >> level; std::cout << next_level(level) << std::endl; }
""",
    "solution/correct.java": """\
import java.util.*;
public class LevelMeter {
    static int nextLevel(int level) { return level + 1; }
    static String highest(List<Integer> levels, String unit) {
        int found = Collections.max(levels);
        if (found == 0) throw new ArithmeticException("none");
        return unit + found;
    }
    public static void main(String[] args) { System.out.println(nextLevel(new Scanner(System.in).nextInt())); }
}
""",
}


@needs_sandbox
@pytest.mark.slow
@pytest.mark.parametrize(("language", "ending", "tests"), [("c", "c", 3), (None, "cpp", 6), ("java", "java", 6)])
def test_functions_in_compiled_languages(language: str | None, ending: str, tests: int, tmp_path: Path) -> None:
    right = FUNCTIONS[f"solution/correct.{ending}"]
    wrong = right.replace("level + 1;", "level + 2;").replace('"none"', '"nothing"')
    folder = write(tmp_path / "levels", {**FUNCTIONS, f"solution/wrong.{ending}": wrong})
    made = import_tested(folder, language=language, into=tmp_path / "course")
    found = verdicts(made)
    program = "LevelMeter.java" if ending == "java" else f"level_meter.{ending}"
    assert written(made, "assignment.yaml")["programs"][0]["file"] == program
    assert list(found) == [f"correct-correct.{ending}", f"wrong-wrong.{ending}"]
    assert found[f"correct-correct.{ending}"] == ["passed"] * tests
    failing = [verdict != "passed" for verdict in found[f"wrong-wrong.{ending}"]]
    assert failing == ([True, True, True] if ending == "c" else [True, True, True, False, True, False])
    assert any("[3, 4]" in note and "no form" in note for note in made.notes) == (ending == "c")
    assert any("those that come after it there (1)" in note for note in made.notes) == (ending == "c")


CPLUSPLUS_FLAGS = ["-std=gnu++20", "-include", "string", "-include", "vector"]


@pytest.mark.parametrize(
    ("language", "entry"),
    [
        ("python", {"file": "level_meter.py"}),
        ("cpp", {"file": "level_meter.cpp", "build": {"flags": CPLUSPLUS_FLAGS}}),
        ("java", {"file": "LevelMeter.java"}),
    ],
)
def test_functions_without_a_solution(language: str, entry: dict[str, Any], tmp_path: Path) -> None:
    files = {name: text for name, text in FUNCTIONS.items() if not name.startswith("solution/")}
    made = import_tested(write(tmp_path / "levels", files), language=language, into=tmp_path / "course")
    assert written(made, "assignment.yaml")["programs"] == [entry]


@needs_sandbox
@pytest.mark.slow
def test_files_that_programs_are_built_with(tmp_path: Path) -> None:
    files = {
        "evaluation/suite.yaml": "- {tab: A, testcases: [{expression: half(8), return: 4}]}",
        "workdir/halves.h": 'int half_of(int number);\n#include "halves.c"\n',
        "workdir/halves.c": "int half_of(int number) { return number / 2; }",
        "workdir/halves.py": "",
        "workdir/data.txt": "8",
        "solution/correct.c": '#include "halves.h"\nint half(int number) { return half_of(number); }\n',
        "solution/wrong.c": '#include "halves.h"\nint half(int number) { return half_of(number) + 1; }\n',
    }
    made = import_tested(write(tmp_path / "halves", files), language="c", into=tmp_path / "course")
    assert verdicts(made) == {"correct-correct.c": ["passed"], "wrong-wrong.c": ["wrong-output"]}
    assignment = written(made, "assignment.yaml")
    assert [one["source"] for one in assignment["provided"]] == ["halves-halves.c", "halves-halves.h"]
    assert assignment["files"] == ["data.txt", "halves.py"]
    headers = ("stdio.h", "stdlib.h", "string.h", "math.h")
    flags = [word for header in headers for word in ("-include", header)]
    assert assignment["programs"] == [{"file": "submission.c", "reference": "halves.c", "build": {"flags": flags}}]


def test_a_statement_alone(tmp_path: Path) -> None:
    suite = """\
- tab: A
  testcases:
  - {statement: "d = {'a': 1}"}
  - {statement: d = half(3)}
  - {expression: half(3), return: 1.5}
"""
    files = {**EXERCISE, "evaluation/suite.yaml": suite}
    made = import_tested(write(tmp_path / "levels", files), into=tmp_path / "course")
    first, _ = entries(made)
    assert first == {"id": "a-1", "call": "half(3)", "prints": ""}
    assert any("it calls nothing" in note for note in made.notes)


JSON_SUITE = {
    "tabs": [
        {
            "name": "Tab",
            "runs": [
                {
                    "run": {
                        "input": {"main_call": True, "stdin": {"type": "text", "data": "Ada\n"}, "arguments": []},
                        "output": {"stdout": {"type": "text", "data": "hello Ada\n"}, "exit_code": {"value": 0}},
                    },
                    "contexts": [
                        {
                            "testcases": [
                                {
                                    "input": {
                                        "variable": "aMeter",
                                        "expression": {
                                            "type": "constructor",
                                            "name": "level_meter",
                                            "arguments": [{"type": "integer", "data": 3}],
                                        },
                                    }
                                },
                                {
                                    "input": {"type": "property", "namespace": "aMeter", "name": "level"},
                                    "output": {"result": {"value": {"type": "integer", "data": 3}}},
                                },
                            ]
                        }
                    ],
                }
            ],
        }
    ]
}


@pytest.mark.slow
@needs_sandbox
def test_a_suite_in_json(tmp_path: Path) -> None:
    files = {**EXERCISE, "evaluation/old.tson": json.dumps(JSON_SUITE)}
    made = import_tested(write(tmp_path / "levels", files), suite="old.tson", into=tmp_path / "course")
    assert [test.get("setup") for test in entries(made)] == [None, ["a_meter = LevelMeter(3)"]]
    assert verdicts(made)["correct-correct.py"] == ["passed", "passed"]
    assert any("evaluation/suite.yaml: not imported" in note for note in made.notes)


ORACLE = """\
from evaluation_utils import EvaluationResult, Message


def close(context, most):
    is_close = abs(context.actual - context.expected) <= most
    return EvaluationResult(is_close, messages=[Message("It is too far off.")])


def even(value):
    return EvaluationResult(value % 2 == 0)
"""
ORACLE_SUITE = """\
- tab: Oracles
  testcases:
  - {expression: half(3), return: !oracle {oracle: custom_check, file: judge.py, name: close, value: 1, arguments: [1]}}
  - expression: half(8)
    return: !oracle {oracle: specific_check, functions: {python: {file: judge.py, name: even}}}
  - expression: half(2)
    return: !oracle {oracle: custom_check, file: missing.py, value: 1}
"""


@pytest.mark.slow
@needs_sandbox
def test_oracles(tmp_path: Path) -> None:
    files = {
        "evaluation/suite.yml": ORACLE_SUITE,
        "evaluation/judge.py": ORACLE,
        "solution/correct.py": "def half(number):\n    return number / 2\n",
        "solution/wrong.py": "def half(number):\n    return number * 3 + 1\n",
    }
    made = import_tested(write(tmp_path / "oracles", files), into=tmp_path / "course")
    assert verdicts(made) == {
        "correct-correct.py": ["passed", "passed"],
        "wrong-wrong.py": ["wrong-output", "wrong-output"],
    }
    assert any("its oracle is not in Python, or not there" in note for note in made.notes)


@pytest.mark.parametrize(
    ("line", "python", "statement"),
    [
        ("aName = loadFile(x)", "a_name = load_file(x)", True),
        ("m: level_meter = Level_meter(3)", "m = LevelMeter(3)", True),
        ("m.someProp", "m.some_prop", False),
        ("f(int8(3), int8('3'), text('a'), Null, by=MAX_N)", "f(3, int('3'), 'a', None, by=MAX_N)", False),
        ("set([1, 2])", "set([1, 2])", False),
        ("fixed_precision(0.10)", "__import__('decimal').Decimal('0.1')", False),
        ("f(x)  # what it does", "f(x)", False),
    ],
)
def test_lines_in_python(line: str, python: str, statement: bool) -> None:
    assert value_in_python(line) == python
    assert is_assignment(line) == statement


@pytest.mark.parametrize("line", ["{[1], [2]}", "{[1]: 2}", "for x in y: pass", "f(", "a; b"])
def test_lines_that_have_no_form_in_python(line: str) -> None:
    with pytest.raises(NoFormError):
        value_in_python(line)
    assert not is_assignment(line)


@pytest.mark.parametrize(
    ("line", "c", "cplusplus", "java"),
    [
        ("loadFile(x)", "load_file(x)", "load_file(x)", "MyWork.loadFile(x)"),
        ("a_name = f(-3)", "__auto_type a_name = f(-3);", "auto aName = f(-3);", "var aName = MyWork.f(-3);"),
        ("MAX_N", "MAX_N", "MAX_N", "MyWork.MAX_N"),
        ("m.a_prop = 1.5", "m.a_prop = 1.5;", "m.aProp = 1.5;", "m.aProp = 1.5;"),
        ("m.do_it(True)", "m.do_it(true)", "m.do_it(true)", "m.doIt(true)"),
        ("Meter.best_of(None)", "Meter.best_of(NULL)", "Meter::best_of(nullptr)", "Meter.bestOf(null)"),
        ("Level_meter(5000000000)", None, "LevelMeter(5000000000L)", "new LevelMeter(5000000000L)"),
        (
            "f('a\"\\n', char('b'))",
            """f("a\\"\\012", 'b')""",
            """f(std::string("a\\"\\012"), 'b')""",
            """MyWork.f("a\\"\\012", 'b')""",
        ),
        (
            "f(uint64(3), single_precision(2))",
            "f(3UL, 2.0f)",
            "f(3UL, 2.0f)",
            'MyWork.f(new java.math.BigInteger("3"), 2.0f)',
        ),
        ("f([1, 2])", None, "f(std::vector<std::intmax_t>{1, 2})", "MyWork.f(List.of(1, 2))"),
        ("f(array([True]))", None, "f(std::vector<bool>{true})", "MyWork.f(new boolean[]{true})"),
        (
            "f({'a': {int32(1)}})",
            None,
            'f(std::map<std::string, std::set<std::int32_t>>{{std::string("a"), std::set<std::int32_t>{1}}})',
            'MyWork.f(Map.ofEntries(Map.entry("a", Set.of(1))))',
        ),
        (
            "f((1, 'a'))",
            None,
            'f(std::tuple<std::intmax_t, std::string>{1, std::string("a")})',
            'MyWork.f(List.of(1, "a"))',
        ),
        (
            "f([1, 'a'])",
            None,
            'f(std::vector<std::variant<std::intmax_t, std::string>>{1, std::string("a")})',
            'MyWork.f(List.of(1, "a"))',
        ),
        ("f([1, None])", None, None, "MyWork.f(Arrays.asList(1, null))"),
        ("f([])", None, None, "MyWork.f(List.of())"),
        ("f(by=3)", None, None, None),
        ("f(1 + 1)", None, None, None),
    ],
)
def test_lines_in_compiled_languages(line: str, c: str | None, cplusplus: str | None, java: str | None) -> None:
    for writer, expected in (CodeWriter, c), (CplusplusWriter, cplusplus), (JavaWriter, java):
        if expected is not None:
            assert writer("my_work").line(parse_line(line)) == expected
        else:
            with pytest.raises(NoFormError):
                writer("my_work").line(parse_line(line))


def test_a_variable_that_is_set_again() -> None:
    for writer in CodeWriter("x"), CplusplusWriter("x"):
        assert [writer.line(parse_line(f"a = {number}")).split()[-3:] for number in "12"] == [
            ["a", "=", f"{n};"] for n in "12"
        ]
    java = JavaWriter("x")
    java.line(parse_line("a = 1"))
    with pytest.raises(NoFormError, match="the variable a is set twice"):
        java.line(parse_line("a = 2"))


def test_names() -> None:
    assert [snake_case(name) for name in ("aList", "load_file", "x2Y")] == ["a_list", "load_file", "x2_y"]
    assert [pascal_case(name) for name in ("equal_checker", "Equal_checker", "Counter")] == [
        "EqualChecker",
        "EqualChecker",
        "Counter",
    ]


def test_values_in_json() -> None:
    number = {"type": "integer", "data": 1}
    assert value_in_python(json_line({"type": "set", "data": [number]})) == "set([1])"
    assert json_line({"type": "map", "data": [{"key": number, "value": number}]}) == "{1: 1}"
    assert json_line({"type": "int8", "data": 3}) == "int8(3)"
    assert json_line({"type": "nothing"}) == "None"
    named = {"type": "function", "name": "aFunction", "arguments": ["aName", {"name": "by", "value": number}]}
    assert json_line(named) == "aFunction(aName, by=1)"
    assert json_line({"variable": "x", "expression": {"type": "real", "data": 3}}) == "x = 3.0"
    with pytest.raises(NoFormError, match="called like a type"):
        json_line({"type": "function", "name": "list", "arguments": []})


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"x": ""}, "has no folder evaluation/"),
        ({"evaluation/a.yaml": "", "evaluation/b.yaml": ""}, "found a.yaml, b.yaml; name the suite"),
        ({"evaluation/a.yaml": "tabs: ["}, "a.yaml is no YAML"),
        ({"evaluation/a.yaml": "tabs: 3"}, "a.yaml is no suite of TESTed"),
        ({"evaluation/a.json": "{}"}, "a.json is no suite of TESTed"),
        ({"evaluation/a.yaml": "- {tab: x, testcases: [{exception: no}]}"}, "no test of the suite can be said here"),
        ({"config.json": "{", "evaluation/a.yaml": ""}, "is no JSON"),
    ],
)
def test_what_cannot_be_imported(files: dict[str, str], words: str, prepared: PreparedGrader, tmp_path: Path) -> None:
    write(tmp_path / "exercise", files)
    done = prepared.run("import", "tested", "exercise", folder=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr
    assert not (tmp_path / "exercise-course").exists()


def test_a_reference_that_is_named(tmp_path: Path) -> None:
    files = {**EXERCISE, "solution/another.py": "# mine\n" + CORRECT}
    folder = write(tmp_path / "levels", files)
    made = import_tested(folder, solution="another.py", into=tmp_path / "course")
    assert (made.course / "reference" / "levels.py").read_text().startswith("# mine")
    with pytest.raises(GraderError, match=r"no program none\.py"):
        import_tested(folder, solution="none.py", into=tmp_path / "other")
