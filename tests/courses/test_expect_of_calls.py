"""Checks of `expect` in all kinds of tests: of what calls print, of numbers among labels, with shares and sentences."""

from decimal import Decimal
from pathlib import Path

import pytest

import grader
from tests.courses.conftest import OneProgram

PRINTS = """\
def greet(name):
    print(f"Hello, {name}!")
    return len(name)


def add(total, price):
    print(f"Item {total}: {price}")
    return total + price


def ask():
    age = int(input("Age (1 to 120): "))
    print(f"In 2 years you are {age + 2}")


def fail():
    print("before")
    raise ValueError("no")
"""

CALLS = """
- {id: one, call: greet("Ann"), expect: [{contains: "Hello, Ann"}]}
- {id: value, call: greet("Ann"), returns: 3, expect: [{lines: reference}]}
- {id: several, calls: ["t = add(0, 5)", "t = add(t, 7)"], expect: [{numbers: [5, 7]}, {lacks: "add("}]}
- {id: asks, call: ask(), input: ["30"], expect: [{numbers: [32], others: anywhere}, {lacks: "30"}]}
- {id: raises, call: fail(), raises: ValueError, expect: [{unordered: [before]}]}
"""


def sentences(demo: OneProgram, source: str) -> dict[str, str]:
    """What students are told of the tests that fail."""
    return {
        name: result.judgement.diagnosis.sentence
        for name, result in demo.results(source).items()
        if result.judgement.diagnosis is not None
    }


@pytest.mark.slow
def test_what_calls_print_is_checked(demo: OneProgram) -> None:
    demo.write(CALLS, reference=PRINTS)
    demo.generate()
    assert [file.name for file in (demo.assignment / "expected").iterdir()] == ["value.canonical.json"]
    assert set(demo.verdicts(PRINTS).values()) == {"passed"}
    assert sentences(demo, PRINTS.replace("Hello,", "Hallo,")) == {
        "one": "The output does not contain `Hello, Ann`; the nearest line is `Hallo, Ann!`.",
        "value": "The output has no line `Hello, Ann!`; the nearest line is `Hallo, Ann!`.",
    }
    assert sentences(demo, PRINTS.replace("{price}", "{price + 1}")) == {
        "several": "The output has 6 as number 1 (in the line `Item 0: 6`); expected 5."
    }
    # What is returned and raised counts only where the test says so, and a crash always does.
    assert set(sentences(demo, PRINTS.replace("len(name)", "0"))) == {"value"}
    assert demo.verdicts(PRINTS.replace("return total + price", "return 1 / 0"))["several"] == "crash"
    assert set(sentences(demo, PRINTS.replace('raise ValueError("no")', "pass"))) == {"raises"}
    assert sentences(demo, PRINTS.replace('print("before")', "pass")) == {
        "raises": "The output does not have the line `before`; it is blank."
    }


NUMBERS = """
- {id: plain, input: ["7"], expect: [{numbers: [49]}]}
- {id: reference, input: ["7"], expect: [{numbers: reference}]}
- {id: piped, stdin_text: "7\\n", expect: [{numbers: [49]}]}
- {id: none, input: ["7"], expect: [{numbers: [4, 49], others: none}]}
- {id: anywhere, input: ["7"], expect: [{numbers: [4, 49], others: anywhere}]}
"""
ALL = {"plain", "reference", "piped", "none", "anywhere"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "passed"),
    [
        ('print(int(input("n: ")) ** 2)', {"plain", "reference", "piped"}),
        ('print(int(input("A number (1 to 100): ")) ** 2)', {"plain", "reference", "piped"}),
        ('print("Square of 4 = ", int(input("Which? ")) ** 2)', ALL),
        ('print("From 4 to", int(input("Which? ")) ** 2)', {"reference", "none", "anywhere"}),
        ('print(int(input("49 ")) ** 3)', set()),
        ('print(49, 4, int(input("")))', set()),
    ],
)
def test_numbers_of_prompts_and_labels_do_not_count(source: str, passed: set[str], demo: OneProgram) -> None:
    demo.write(NUMBERS, reference='print("4 =", int(input("n: ")) ** 2)')
    demo.generate()
    verdicts = demo.verdicts(source)
    assert {name for name, verdict in verdicts.items() if verdict == "passed"} == passed


SIGNED = """
- {id: minus, stdin_text: "", expect: [{numbers: [-2.5]}]}
- {id: plus, stdin_text: "", expect: [{numbers: [2.5]}]}
- {id: small, stdin_text: "", expect: [{numbers: [-0.00025]}]}
"""


@pytest.mark.parametrize(
    ("printed", "passed"),
    [
        ("−2.5", {"minus"}),
        ("T = −2.5°C", {"minus"}),
        ("x=−2.5", {"minus"}),
        ("−2.5e−4", {"small"}),
        ("−.00025", {"small"}),
        ("a−2.5", {"plus"}),
        ("− 2.5", {"plus"}),
        ("\N{EN DASH}2.5", {"plus"}),
    ],
)
def test_a_minus_sign_is_one(printed: str, passed: set[str], demo: OneProgram) -> None:
    demo.write(SIGNED, marks=3)
    verdicts = demo.verdicts(f"print({printed!r})")
    assert {name for name, verdict in verdicts.items() if verdict == "passed"} == passed


def test_a_wrong_number_is_shown_in_its_line(demo: OneProgram) -> None:
    demo.write(
        """
        - {id: labels, stdin_text: "", expect: [{numbers: [5, 126]}]}
        - {id: anywhere, stdin_text: "", expect: [{numbers: [5, 126], others: anywhere}]}
        """
    )
    assert sentences(demo, "print('Year 1: 5')\nprint('Months: 125 in all')") == {
        "labels": "The output has 125 as number 2 (in the line `Months: 125 in all`); expected 126.",
        "anywhere": "The output does not have the number 126 after 5.",
    }
    assert sentences(demo, "print(5)\nprint(126)\nprint('of 7')")["labels"] == (
        "The output has the number 7 (in the line `of 7`) after all 2 expected ones."
    )


SHARES = """
- id: equal
  stdin_text: ""
  partial: checks
  expect: [{contains: tea}, {contains: milk}, {lacks: Error}]
- id: own
  stdin_text: ""
  expect: [{contains: tea, share: 0.7}, {contains: milk, share: 0.1}]
  partial_if_stopped: true
- id: ways
  stdin_text: ""
  milestones: [{text: tea, share: 0.25}, {line: milk, share: 0.5}]
  expect: [{lines: [tea, milk, bread]}]
- id: call
  call: show()
  partial: checks
  expect: [{contains: tea}, {contains: milk}]
"""


@pytest.mark.slow
def test_checks_earn_shares(demo: OneProgram) -> None:
    def scores(source: str) -> dict[str, Decimal | None]:
        results = demo.results(f"def show():\n    {source}\n\nif __name__ == '__main__':\n    show()\n")
        shares = {name: result.judgement.score for name, result in results.items()}
        return {name: None if score is None else round(Decimal(float(score)), 3) for name, score in shares.items()}

    demo.write(SHARES, marks=4)
    demo_scores = scores("print('green tea')")
    assert demo_scores == {
        "equal": Decimal("0.667"),
        "own": Decimal("0.7"),
        "ways": Decimal("0.25"),
        "call": Decimal("0.5"),
    }
    # A program that prints nothing keeps `lacks`, and earns nothing.
    assert set(scores("pass").values()) == {Decimal(0)}
    # A crash earns nothing, unless the test says otherwise; and a test that is not passed lacks something.
    assert scores("print('tea', 'milk'); 1 / 0") == {"equal": None, "own": Decimal("0.7"), "ways": None, "call": None}
    notes = demo.results("print('tea')\ndef show(): pass\n")["equal"].judgement.notes
    assert [note.sentence for note in notes] == [
        "Partial credit: 2 of 3 checks hold, which earns 66.6667 % of the points."
    ]


@pytest.mark.slow
def test_a_check_says_what_students_read(demo: OneProgram) -> None:
    demo.write(
        """
        - id: says
          stdin_text: ""
          expect:
            - {matches: '^Total: \\d+\\.\\d\\d$', says: The total has two decimals.}
            - {lacks: Error, says: No error is shown}
        - {id: form, stdin_text: "", expect: [{matches: '^Total: \\d+\\.\\d\\d$'}]}
        """
    )
    assert sentences(demo, "print('Total: 12.5')") == {
        "says": "The total has two decimals (the nearest line is `Total: 12.5`).",
        "form": "The output has nothing of the form `Total: ….…` (… stands for what may vary); the nearest line is "
        "`Total: 12.5`.",
    }
    assert sentences(demo, "print('Total: 12.50 Error')")["says"] == (
        "The total has two decimals (the nearest line is `Total: 12.50 Error`) (and 1 more of the 2 checks)."
    )
    assert sentences(demo, "print('Total: 12.50\\nError')")["says"] == "No error is shown."


@pytest.mark.parametrize(
    ("test", "message"),
    [
        ("call: f(), prints: a, expect: [{contains: x}]", "found `prints` and `expect`; expected one of them"),
        ("call: f(), checks: [output], expect: [{contains: x}]", "found `expect` and `checks`; expected one of them"),
        ("input: [], partial: checks", "found `partial: checks` without `expect`"),
        ("input: [], partial: lines, expect: [{contains: x}]", "expected `partial: checks`"),
        ("input: [], expect: [{contains: x, share: 0.5}, {lacks: y}]", "expected it for all of them or none"),
        ("input: [], expect: [{contains: x, share: 0.5}, {lacks: y, share: 0.6}]", "the share 1.1 together"),
        ("input: [], partial: steps, expect: [{contains: x, share: 1}]", "found `share` in `expect` beside `partial`"),
        ("input: [], expect: [{contains: x, others: none}]", "found `others` without `numbers`"),
        ("own_tests: {module: m.py, good: [a.py]}, expect: [{contains: x}]", "not of functions"),
    ],
)
def test_slips(test: str, message: str, tmp_path: Path) -> None:
    demo = OneProgram(tmp_path, grader.SandboxKind.NONE)
    demo.write(f"- {{id: a, {test}}}", files={"own_tests/a.py": ""})
    with pytest.raises(grader.GraderError) as error:
        grader.load("demo", course=tmp_path)
    assert message in str(error.value)
