"""What a test says of the output itself: a transcript, or checks of what must be in it."""

from pathlib import Path

import pytest

import grader
from grader.text import patterns
from tests.courses.conftest import OneProgram

GREETING = "name = input('Name: ')\nprint(f'hello, {name}')\n"


def test_a_transcript_in_the_test_or_in_a_file(demo: OneProgram) -> None:
    demo.write(
        """
        - {id: terminal, input: [Ann], expected: "Name: Ann\\nhello, Ann\\n"}
        - {id: "piped-$name", for: {name: [Bo, Cy]}, stdin_text: "$name\\n", expected: "Name: hello, $name\\n"}
        - {id: file, input: [Ann], expected_file: ann.txt, compare: {ignore: [case]}}
        """,
        # As Windows saves it.
        files={"samples/ann.txt": b"\xef\xbb\xbfName: Ann\r\nHELLO, Ann\r\n"},
        marks=4,
    )
    # No reference is needed.
    assert set(demo.verdicts(GREETING).values()) == {"passed"}
    wrong = demo.results(GREETING.replace("hello", "Hello"))
    assert {name: str(result.verdict) for name, result in wrong.items()} == {
        "terminal": "wrong-output",
        "piped-Bo": "wrong-output",
        "piped-Cy": "wrong-output",
        "file": "passed",
    }
    assert wrong["terminal"].compared is not None
    assert wrong["terminal"].compared.expected == "Name: Ann\nhello, Ann\n"


def test_the_reference_must_do_what_the_tests_say(demo: OneProgram) -> None:
    demo.write('- {id: one, input: [Ann], expected: "Name: Ann\\nHello, Ann\\n"}', reference=GREETING)
    with pytest.raises(grader.GraderError, match=r"The reference of p.py .* fails the test one: "):
        demo.generate()


@pytest.mark.slow
def test_the_reference_prints_the_samples_of_the_handout(demo: OneProgram) -> None:
    demo.write(
        """
        - {id: exact, input: [Ann], sample: ann.txt}
        - id: blanks-$name
          for: {name: [bo]}
          input: [Bo]
          sample: {file: $name.txt, ignore: [blank-lines, trailing-whitespace]}
        """,
        reference=GREETING,
        files={"samples/ann.txt": "Name: Ann\nhello, Ann\n", "samples/bo.txt": "Name: Bo  \n\nhello, Bo \n\n"},
        marks=2,
    )
    demo.generate()
    sample = demo.assignment / "samples" / "ann.txt"
    for text, said in (
        ("Name: Ann\nHello, Ann\n", "line 2 is `Hello, Ann` there, and the reference prints `hello, Ann`"),
        ("Name: Ann\n", "line 2 is nothing more there, and the reference prints `hello, Ann`"),
        ("Name: Ann\nhello, Ann", "only one of them ends line 2 with a newline"),
    ):
        sample.write_text(text)
        with pytest.raises(grader.GraderError, match=rf"does not print samples/ann.txt of the test exact: {said}\. "):
            demo.generate()
    assert set(demo.verdicts(GREETING).values()) == {"passed"}


@pytest.mark.slow
def test_a_pattern_that_takes_too_long_costs_no_marks(demo: OneProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "_SECONDS", 0.2)
    demo.write(
        r"""
        - {id: matches, input: [], expect: [{matches: '^ok (.*?,){30}P'}]}
        - {id: marks, input: [], expected: "ok <<cells>>\n", compare: {patterns: {cells: '(.*?,){30}P'}}}
        """
    )
    assert set(demo.verdicts("print('ok ' + 30 * '1,' + 'P')\n").values()) == {"passed"}
    slow = demo.results("print('ok ' + 200 * '1,')\n")
    assert {str(one.verdict) for one in slow.values()} == {"internal-error"}
    assert all("one way to fit" in one.judgement.diagnosis.sentence for one in slow.values() if one.judgement.diagnosis)


STATED = """
- {id: value, call: "average([1, 2, 4])", returns: 2.33, compare: {tolerance: 0.01}}
- {id: none, call: "show([3, 5])", returns: none, prints: "4.0\\n"}
- {id: error, call: "average([])", raises: ValueError}
- {id: message, call: "average([])", raises: {type: Empty, message: no numbers}}
- {id: pair, call: "ends([3, 1, 2])", returns: {tuple: [1, 3]}}
"""

AVERAGES = """
class Empty(ValueError):
    pass

def average(numbers):
    if not numbers:
        raise Empty("no numbers")
    return sum(numbers) / len(numbers)

def show(numbers):
    print(average(numbers))

def ends(numbers):
    return min(numbers), max(numbers)
"""


@pytest.mark.slow
def test_what_must_come_of_a_call_stands_in_the_test(demo: OneProgram) -> None:
    demo.write(STATED, marks=5)
    # No reference is needed.
    assert set(demo.verdicts(AVERAGES).values()) == {"passed"}
    wrong = demo.results(
        """
        def average(numbers):
            print("averaging")
            if not numbers:
                raise ValueError("none")
            return sum(numbers) / len(numbers) + 1 / 6

        def show(numbers):
            print(average(numbers))

        def ends(numbers):
            return [min(numbers), max(numbers)]
        """
    )
    assert {name: str(result.verdict) for name, result in wrong.items()} == {
        "value": "wrong-output",
        "none": "wrong-output",
        "error": "passed",
        "message": "wrong-output",
        "pair": "wrong-output",
    }
    sentences = [one.judgement.diagnosis.sentence for one in wrong.values() if one.judgement.diagnosis]
    assert sentences[0] == "The function returns the wrong value: 2.33 expected, found 2.5."
    assert "Empty" in sentences[2]


def test_the_reference_must_come_to_what_is_stated(demo: OneProgram) -> None:
    demo.write(STATED, reference=AVERAGES.replace("min(numbers), max", "min(numbers), sum"), marks=5)
    with pytest.raises(grader.GraderError, match=r"reference of p.py .* fails the test pair: .* 3 expected, found 6"):
        demo.generate()


@pytest.mark.slow
def test_what_is_typed_is_no_output(demo: OneProgram) -> None:
    demo.write(
        """
        - {id: contains, input: [Zebedee], expect: [{contains: Zebedee}]}
        - {id: lines, input: [Zebedee], expect: [{lines: reference}, {numbers: []}]}
        - {id: numbers, input: ["12"], expect: [{numbers: reference}, {lacks: "12x"}, {matches: '^Name: $'}]}
        - {id: prompt, repl: ["'Zeb' + 'edee'"], expect: [{contains: Zebedee}, {lacks: "'edee'"}]}
        """,
        reference=GREETING,
    )
    demo.generate()
    expected = demo.assignment / "expected" / "lines.canonical.txt"
    assert expected.read_text() == "Name: \nhello, Zebedee\n"
    assert set(demo.verdicts(GREETING).values()) == {"passed"}
    silent = demo.verdicts("input('Name: ')\n")
    assert silent == {
        "contains": "wrong-output",
        "lines": "wrong-output",
        "numbers": "wrong-output",
        "prompt": "passed",
    }


REPORT = """\
import sys
print("Report of 3 items")
for name, price in (("tea", 2.5), ("milk", 1.255), ("bread", 3)):
    print(f"{name:<6}{price:8.3f}")
print("Total: $6.755", file=sys.stdout)
print("done", file=sys.stderr)
"""

CHECKS = {
    "contains": "[{contains: [tea, milk]}]",
    "lacks": "[{lacks: Error}]",
    "matches": "[{matches: '^Total: \\$[0-9.]+$'}]",
    "lines": "[{lines: ['Report of 3 items', 'Total: $6.755']}]",
    "unordered": "[{unordered: reference}]",
    "numbers": "[{numbers: [3, 2.5, 1.26, 3, 6.755], tolerance: 0.01}]",
    "case": "[{contains: REPORT OF, ignore_case: true}]",
    "stderr": "[{in: stderr, contains: done}, {lacks: done}]",
}


@pytest.mark.slow
def test_checks_of_what_must_be_in_the_output(demo: OneProgram) -> None:
    tests = (f"- {{id: {name}, input: [], expect: {check}}}" for name, check in CHECKS.items())
    demo.write("\n".join(tests), reference=REPORT)
    demo.generate()
    assert [file.name for file in (demo.assignment / "expected").iterdir()] == ["unordered.canonical.txt"]
    assert set(demo.verdicts(REPORT).values()) == {"passed"}

    def failed(old: str, new: str) -> dict[str, str]:
        results = demo.results(REPORT.replace(old, new))
        return {
            name: result.judgement.diagnosis.sentence
            for name, result in results.items()
            if result.judgement.diagnosis is not None and result.verdict is grader.Verdict.WRONG_OUTPUT
        }

    assert failed('"tea"', '"cha"') == {
        "contains": "The output does not contain `tea`.",
        "unordered": "The output does not have the line `tea      2.500`; the nearest line is `cha      2.500`.",
    }
    assert failed("1.255", "1.245") == {
        "unordered": "The output does not have the line `milk     1.255`; the nearest line is `milk     1.245`.",
        "numbers": "The output has 1.245 as number 3 (in the line `milk     1.245`); expected 1.26.",
    }
    assert failed("Total: $6.755", "Total 6.755") == {
        "matches": "The output has nothing of the form `Total: $…` (… stands for what may vary).",
        "lines": "The output has no line `Total: $6.755` after `Report of 3 items`; the nearest line is `Total 6.755`.",
        "unordered": "The output does not have the line `Total: $6.755`; the nearest line is `Total 6.755`.",
    }
    assert failed("sys.stderr", "sys.stdout") == {
        "stderr": "Standard error does not contain `done`; it is blank (and 1 more of the 2 checks).",
    }
    assert failed('"Report', '"Error\\nReport') == {
        "lacks": "The output contains `Error`, which should not be there.",
        "unordered": "The output has the line `Error`, which should not be there.",
    }


def test_what_a_number_is(demo: OneProgram) -> None:
    demo.write('- {id: numbers, stdin_text: "", expect: [{numbers: [42, 5, 1, 10, -3, 0.5, -0.5, 2.5, 7, 3, 2]}]}\n')
    printed = "You have...42; No.5, 1..10 (at -3, .5, -.5, 2.5kg) 7. Not 1.2.3, 1st, 8e5000, a1 or x.1_0. 3-2"
    assert demo.verdicts(f"print({printed!r})\n") == {"numbers": "passed"}
    in_colour = f"\x1b[1;31m{printed}\x1b[0m"
    assert demo.verdicts(f"print({in_colour!r})\n") == {"numbers": "passed"}


@pytest.mark.parametrize("others", ["labels", "anywhere", "none"])
def test_commas_may_separate_thousands(demo: OneProgram, others: str) -> None:
    demo.write(f'- {{id: numbers, stdin_text: "", expect: [{{numbers: [1234567.5, 12], others: {others}}}]}}\n')
    assert demo.verdicts('print(f"Total: ${1234567.5:,.2f} for 12")\n') == {"numbers": "passed"}
    assert demo.verdicts('print("1,234,56.50 12")\n') == {"numbers": "wrong-output"}


def test_commas_may_separate_numbers(demo: OneProgram) -> None:
    demo.write('- {id: numbers, stdin_text: "", expect: [{numbers: [1, 234, 567]}]}\n')
    assert demo.verdicts("print('1,234,567')\n") == {"numbers": "passed"}


@pytest.mark.slow
def test_a_reference_may_separate_thousands(demo: OneProgram) -> None:
    program = 'print(f"Total: {1234567.5:,.2f}")\n'
    demo.write('- {id: numbers, stdin_text: "", expect: [{numbers: reference}]}\n', reference=program)
    demo.generate()
    assert demo.verdicts(program) == {"numbers": "passed"}
    assert demo.verdicts("print(1234567.5)\n") == {"numbers": "passed"}
    assert demo.verdicts("print('1,234,568.50')\n") == {"numbers": "wrong-output"}


def test_the_nearest_line_is_shown_with_its_blanks(demo: OneProgram) -> None:
    demo.write(
        """
        - {id: lines, stdin_text: "", expect: [{lines: [first, last]}]}
        - {id: matches, stdin_text: "", expect: [{matches: '^Total: \\$[0-9.]+$'}]}
        - {id: decomposed, stdin_text: "", expect: [{contains: Grüße}]}
        """,
        marks=3,
    )
    program = 'print(" first")\nprint("last")\nprint("Total: $3.50 ")\nprint("Gru\\u0308\\u00dfe")\n'
    said = {name: result.judgement.diagnosis for name, result in demo.results(program).items()}
    assert {name: diagnosis.sentence.partition("; ")[2] for name, diagnosis in said.items() if diagnosis} == {
        "lines": "the nearest line is ` first`: there is one space before `first`, expected none.",
        "matches": "the nearest line is `Total: $3.50 `.",
        "decomposed": "the nearest line is `Gru\u0308ße`: an accented letter is written as several characters instead "
        "of one, though it looks the same.",
    }


@pytest.mark.slow
def test_json_and_numbers_close_enough(demo: OneProgram) -> None:
    program = "import json\nprint(json.dumps({'b': [1, 2.0], 'a': None}))\n"
    demo.write(
        """
        - {id: json, stdin_text: "", expect: [{json: '{"a": null, "b": [1, 2]}'}]}
        - {id: relative, stdin_text: "", expect: [{numbers: [1.0001, 2], relative_tolerance: 0.001}]}
        """,
    )
    assert set(demo.verdicts(program).values()) == {"passed"}
    other = demo.results(program.replace("1,", "1.5,"))
    sentences = [str(result.judgement.diagnosis and result.judgement.diagnosis.sentence) for result in other.values()]
    assert sentences == [
        'The output is not the expected value: found `{"a": null, "b": [1.5, 2.0]}`; '
        'expected `{"a": null, "b": [1, 2]}`.',
        'The output has 1.5 as number 1 (in the line `{"b": [1.5, 2.0], "a": null}`); expected 1.0001.',
    ]
    assert demo.verdicts(program.replace("[1,", "[True,"))["json"] == "wrong-output"
    assert demo.verdicts("print('1.0001kg, 2nd: 2m')\n")["relative"] == "passed"
    assert demo.verdicts("print('1.0001', '9' * 2000000, 2)\n")["relative"] == "wrong-output"
    assert demo.verdicts("print('1.0001, 2.9m')\n")["relative"] == "wrong-output"
    assert demo.verdicts("print('{')\n") == {"json": "wrong-output", "relative": "wrong-output"}
    assert demo.verdicts("print(1)\n1 / 0\n") == {"json": "crash", "relative": "crash"}


@pytest.mark.slow
def test_patterns_in_a_transcript(demo: OneProgram) -> None:
    demo.write(
        """
        - id: marked
          input: [Ann]
          expected: "Name: Ann\\nYou are visitor <<number>> at <<time>>.\\n<<other>> done\\n"
          compare: {patterns: {number: '[0-9]+', time: '[0-2][0-9]:[0-5][0-9]'}, ignore: [case]}
        """,
    )
    program = "input('Name: ')\nprint('You are visitor 12 at 09:30.')\nprint('<<other>> DONE')\n"
    assert demo.verdicts(program) == {"marked": "passed"}
    for old, new in (("12", "x"), ("09:30", "9:30"), ("<<other>>", "any"), (" at", " at 5 at")):
        result = demo.results(program.replace(old, new))["marked"]
        assert result.verdict is grader.Verdict.WRONG_OUTPUT, new
    # A line that fits is the same on both sides of a diff.
    other = demo.results(program.replace("DONE", "over"))["marked"].compared
    assert other is not None
    assert "visitor 12 at 09:30" in other.expected
    assert other.divergence.line == 3


@pytest.mark.parametrize(
    ("test", "message"),
    [
        ("expected: x, expect: [{contains: x}]", "found `expected` and `expect`; expected one of them"),
        ("expected_file: b.txt", "cannot be read (No such file or directory); did you mean `a.txt`?"),
        ("expect: [{contain: x}]", "unknown key `contain`; did you mean `contains`?"),
        ("expect: [{contains: x, lines: [y]}]", "found `contains` and `lines` here; expected one of: "),
        ("expect: [{ignore_case: true}]", "found none here; expected one of: "),
        ("expect: []", "expected at least one"),
        ("expect: [{matches: '('}]", "expected a regular expression (missing )"),
        ("expect: [{json: '{'}]", "found `{`; expected JSON"),
        ("expect: [{contains: reference}]", "found `reference`; expected a text. Only `lines`, `unordered`, `numbers`"),
        ("expect: [{lacks: reference}]", "write `[reference]` for the word itself"),
        ("expect: [{matches: reference}]", "write `[reference]` for the word itself"),
        ("expect: [{numbers: [a]}]", "expected a number"),
        ("expect: [{contains: x, tolerance: 1}]", "found a tolerance without `numbers`"),
        ("compare: {patterns: {a: '('}}", "found `(`; expected a regular expression (missing )"),
        ("compare: {patterns: {a: b}}, sealed: true", "compared with `patterns` cannot be sealed"),
        ("expected: 'in /work/a'", "found a path that begins with `/work` in what is expected"),
        ("expected_file: work.log", "found a path that begins with `/work`"),
        ("expect: [{contains: x}, {lacks: /work}]", "found a path that begins with `/work`"),
        ("expect: [{matches: '^/work/'}]", "found a path that begins with `/work`"),
        ("expect: [{lines: [/work/b]}]", "found a path that begins with `/work`"),
        ("expect: [{unordered: [/work/b]}]", "found a path that begins with `/work`"),
        ("expect: [{json: '[\"/work/b\"]'}]", "found a path that begins with `/work`"),
        ("expected: x, sealed: true", "a test with `expected` or `expect` cannot be sealed"),
    ],
)
def test_slips(test: str, message: str, tmp_path: Path) -> None:
    demo = OneProgram(tmp_path, grader.SandboxKind.NONE)
    demo.write(f"- {{id: a, input: [], {test}}}", files={"samples/a.txt": "", "samples/work.log": "/work"})
    with pytest.raises(grader.GraderError) as error:
        grader.load("demo", course=tmp_path)
    assert message in str(error.value)


def test_other_paths_and_returned_ones_may_be_stated(demo: OneProgram) -> None:
    demo.write(
        """
        - {id: printed, stdin_text: "", expected: "a/work and /home/work\\n"}
        - {id: returned, call: where(), returns: /work/a}
        """
    )
    program = "def where():\n    return '/work/a'\n\nif __name__ == '__main__':\n    print('a/work and /home/work')\n"
    assert demo.verdicts(program) == {"printed": "passed", "returned": "passed"}


def test_only_what_the_course_has_lies_beside_a_reference(demo: OneProgram) -> None:
    listing = "import os\nprint(*sorted(os.listdir('.')))\n"
    demo.write("- {id: listed, input: []}", reference=listing)
    demo.generate()
    assert demo.verdicts(listing) == {"listed": "passed"}
