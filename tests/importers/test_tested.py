"""`grader import tested`: suites become tests, in YAML and in JSON, and each program gets its label."""

import json
from pathlib import Path
from typing import Any

import pytest

from grader.api.importing import import_tested
from grader.errors import GraderError
from grader.importers.course_draft import ImportedAssignment
from grader.importers.tested.python_code import NoPythonError, class_name, function_name, in_python, json_value
from tests.importers.packages import verdicts, write, written
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


@needs_sandbox
def test_an_exercise(tmp_path: Path) -> None:
    made = import_tested(write(tmp_path / "levels", EXERCISE), into=tmp_path / "course")
    found = verdicts(made)
    assert set(found["correct-correct.py"]) == {"passed"}
    assert len(found["correct-correct.py"]) == made.tests == 12
    by_id = dict(zip((test["id"] for test in entries(made)), found["wrong-wrong.py"], strict=True))
    assert {name for name, verdict in by_id.items() if verdict != "passed"} == {"functions-3", "functions-7"}
    assert set(found["runtime-error-run-error.py"]) == {"crash"}
    assert any("correct.cpp: not imported; tests of functions" in note for note in made.notes)
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
        "setup": ["m = LevelMeter(3)", "m.level", "m.add(2)"],
        "call": "m.add().level",
        "returns": "6",
        "prints": "",
    }
    assert (functions[2]["returns"], functions[2]["compare"]) == ("1.5", {"tolerance": "0.0000000015"})
    assert functions[3]["returns"] == [{"tuple": ["0", "0"]}, {"tuple": ["1", "1"]}]
    assert functions[5]["call"] == "load_file('in.txt')"
    assert functions[7]["raises"] == {"type": "ValueError", "message": "too high"}
    assert functions[7]["prints"] == "too much\n"
    assert functions[8]["returns"] == {"text": "K♠"}
    assert functions[8]["setup"][-1] == "with contextlib.suppress(BaseException): check(10)"


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
    ("line", "python"),
    [
        ("aName = loadFile(x)", ("a_name = load_file(x)", True)),
        ("m: level_meter = Level_meter(3)", ("m = LevelMeter(3)", True)),
        ("m.someProp", ("m.some_prop", False)),
        ("f(int8(3), text('a'), Null, by=MAX_N)", ("f(int(3), 'a', None, by=MAX_N)", False)),
        ("set([1, 2])", ("set([1, 2])", False)),
        ("fixed_precision(0.10)", ("__import__('decimal').Decimal('0.1')", False)),
        ("f(x)  # what it does", ("f(x)", False)),
    ],
)
def test_lines_in_python(line: str, python: tuple[str, bool]) -> None:
    assert in_python(line) == python


@pytest.mark.parametrize("line", ["{[1], [2]}", "{[1]: 2}", "for x in y: pass", "f(", "a; b"])
def test_lines_that_have_no_form_in_python(line: str) -> None:
    with pytest.raises(NoPythonError):
        in_python(line)


def test_names() -> None:
    assert [function_name(name) for name in ("aList", "load_file", "x2Y")] == ["a_list", "load_file", "x2_y"]
    assert [class_name(name) for name in ("equal_checker", "Equal_checker", "Counter")] == [
        "EqualChecker",
        "EqualChecker",
        "Counter",
    ]


def test_values_in_json() -> None:
    number = {"type": "integer", "data": 1}
    assert json_value({"type": "set", "data": [number]}) == "set([1])"
    assert json_value({"type": "map", "data": [{"key": number, "value": number}]}) == "{1: 1}"
    assert json_value({"type": "nothing"}) == "None"
    named = {"type": "function", "name": "aFunction", "arguments": [{"name": "by", "value": number}, "aName"]}
    assert json_value(named) == "a_function(by=1, a_name)"


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
