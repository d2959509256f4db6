"""The first sentence on a failure is true, and points to the mistake: real programs in courses of one program."""

import pytest

import grader
from grader.analysis.failure_groups import groups_of
from grader.plugins.content_causes.order import EXTRA_LINE, MISSING_LINE
from grader.reports.terminal.test_result import failure_text
from tests.courses.conftest import OneProgram

SAVINGS = "n = input('Number: ')\nprint('Best savings rate:', 0.4411)\n"


def sentence(demo: OneProgram, source: str, test: str = "one") -> str:
    diagnosis = demo.results(source)[test].judgement.diagnosis
    assert diagnosis is not None
    return diagnosis.sentence


@pytest.mark.slow
def test_output_that_a_checker_did_not_see_is_not_called_right(demo: OneProgram) -> None:
    demo.write("- {id: one, stdin_text: '3', checker: anything}", reference="print(3)\n")
    (demo.folder / "checkers").mkdir()
    (demo.folder / "checkers" / "anything.py").write_text(
        "from grader.checkers import passed\n\n\ndef check(input, expected, actual):\n    return passed()\n"
    )
    demo.generate()
    said = sentence(demo, "import sys\nprint(4)\nsys.exit('line 2: no such card')\n")
    assert said == "The exit status is 1; expected 0; on standard error it prints `line 2: no such card`."


@pytest.mark.slow
def test_what_is_on_standard_error_is_shown(demo: OneProgram) -> None:
    demo.write("- {id: one, stdin_text: '3'}", reference="print(3)\n")
    demo.generate()
    silent = "import sys\nprint('looking', file=sys.stderr)\nsys.exit('no file')\n"
    said = "The program prints nothing and ends with exit status 1; on standard error it prints `no file`."
    assert sentence(demo, silent) == said
    other = "import sys\nprint(4)\nprint('looking', file=sys.stderr)\n"
    lines = [line.plain for line in failure_text(demo.results(other)["one"])]
    assert lines[-2:] == ["  on standard error", "  | looking"]
    right = "import sys\nprint(3)\nsys.exit('no file')\n"
    assert sentence(demo, right) == (
        "The output is right, but the exit status is 1; expected 0; on standard error it prints `no file`."
    )


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            "def play()\n    pass\n",
            "Python cannot read the program: SyntaxError: expected ':' in line 1",
        ),
        ("open('words')\n", "`from p import *` stops in line 1 (`open('words')`) with FileNotFoundError"),
        ("def start():\n    pass\n", "`play()` stops with NameError: name 'play' is not defined"),
        ("def play():\n    input()\n    return 1 / 0\n", "`a` stops in line 3 (`return 1 / 0`) with ZeroDivisionError"),
    ],
)
def test_the_first_failure_at_the_prompt_counts(demo: OneProgram, source: str, said: str) -> None:
    demo.write("- {id: one, repl: ['from p import *', play(), a, b], expect: [{contains: won}]}")
    assert sentence(demo, source).startswith(said)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            "def deals(text):\n    [text]\n",
            "`sorted(deals('ab'))` fails: TypeError: 'NoneType' object is not iterable; "
            "does every path through the function end with a return?",
        ),
        ("def get_deals(text):\n    return []\n", "p.py has no `deals`, which the test calls."),
        (
            "def deals():\n    return []\n",
            "`sorted(deals('ab'))` fails: TypeError: deals() takes 0 positional arguments but 1 was given; "
            "compare it with the parameters of the function.",
        ),
        (
            "def deals(text):\n    return 3\n",
            "`sorted(deals('ab'))` fails: TypeError: 'int' object is not iterable; the error is not in a line of the "
            "program, but in what the test does with what it returns.",
        ),
        (
            "def deals(text):\n    return [] + None\n",
            "The program stops in line 2 (`return [] + None`) with TypeError: can only concatenate list",
        ),
    ],
)
def test_a_call_around_a_function_does_not_stop_the_program(demo: OneProgram, source: str, said: str) -> None:
    demo.write("- {id: one, call: \"sorted(deals('ab'))\", returns: [ab, ba]}")
    assert sentence(demo, source).startswith(said)


def test_a_name_of_a_pattern_is_explained(demo: OneProgram) -> None:
    demo.write(
        """
        - id: one
          input: []
          expected: "Steps in search: <<steps>>\\n<<name>> won\\n"
          compare: {patterns: {steps: '[0-9]+', name: '[A-Z][a-z]+'}}
        """
    )
    assert sentence(demo, "print('Steps of search: 12')\nprint('Ann won')\n") == (
        "Line 1 is `Steps of search: 12`; expected `Steps in search: <<steps>>` (<<steps>> stands for a number)."
    )
    assert sentence(demo, "print('Steps in search: 12')\nprint('ann won')\n") == (
        "Line 2 is `ann won`; expected `<<name>> won` (<<name>> stands for a text of a certain form)."
    )


@pytest.mark.parametrize("pattern", [".*", ".+", "(.*?)"])
def test_a_pattern_of_any_text_is_explained_as_one_line(demo: OneProgram, pattern: str) -> None:
    demo.write(
        f"""
        - id: one
          input: []
          expected: "<<prompt>>!\\n"
          compare: {{patterns: {{prompt: '{pattern}'}}}}
        """
    )
    assert sentence(demo, "print('Ann\\nhas won!')\n") == (
        "Line 1 is `Ann`; expected `<<prompt>>!` (<<prompt>> stands for any text in this line)."
    )


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        (r"Sum: +\d+\.", "has nothing of the form `Sum:….` (… stands for what may vary)."),
        ("won|lost", "has nothing of the form `won` or `lost`."),
        (r"^Sum 4\n\Z", "has nothing of the form `Sum 4`."),
        (r"^\d+$", "has nothing of the form that is asked for."),
    ],
)
def test_students_see_no_regular_expression(demo: OneProgram, pattern: str, said: str) -> None:
    demo.write(f"- {{id: one, input: [], expect: [{{matches: '{pattern}'}}]}}")
    assert sentence(demo, "print('nothing')\n") == f"The output {said}"


def test_a_newline_missing_at_the_end_is_named(demo: OneProgram) -> None:
    demo.write(r"- {id: one, input: [], expect: [{matches: '^Sum 4\n\Z'}]}")
    assert sentence(demo, "print('Sum 4', end='')\n") == "The output does not end with a newline."


@pytest.mark.parametrize(
    ("compare", "old", "new", "said"),
    [
        ("tolerance: 0.0003", "rate:', 0.4411", "rate: ', 0.44092", "In line 2 there are 2 spaces before `0.44092`"),
        ("tolerance: 0.0003", "0.4411", "0.45", "In line 2 the number after `rate:` is 0.45; expected 0.4411."),
        ("tolerance: 0.0003", "rate:', 0.4411", "sum:', 0.441", "Line 2 is `Best savings sum: 0.441`; expected `Best "),
        (
            "ignore: [case]",
            "Best savings",
            "BEST saving",
            "Line 2 is `BEST saving rate: 0.4411`; expected `BEST",
        ),
    ],
)
def test_what_is_let_pass_is_not_blamed(demo: OneProgram, compare: str, old: str, new: str, said: str) -> None:
    demo.write(f"- {{id: one, input: [5], compare: {{{compare}}}}}", reference=SAVINGS)
    demo.generate()
    assert sentence(demo, SAVINGS.replace(old, new)).startswith(said)


@pytest.mark.parametrize(
    ("compare", "old", "new", "shown"),
    [
        ("tolerance: 0.0003", "0.4411", "0.441", "Best savings rate: 0.441"),
        ("ignore: [case]", "Best", "BEST", "BEST savings rate: 0.4411"),
    ],
)
def test_lines_in_common_are_shown_as_they_were_printed(
    demo: OneProgram, compare: str, old: str, new: str, shown: str
) -> None:
    demo.write(f"- {{id: one, input: [5], compare: {{{compare}}}}}", reference=SAVINGS)
    demo.generate()
    result = demo.results(SAVINGS.replace(old, new).replace("Number", "Enter"))["one"]
    assert [line.plain for line in failure_text(result)][-1] == f"      2 │ {shown}"


@pytest.mark.slow
def test_input_that_may_be_left_is_not_missed(demo: OneProgram) -> None:
    reference = "for _ in range(2):\n    print('Hello', input())\nprint('Bye')\n"
    demo.write("- {id: one, input: [Ann, Bo, Cy], may_leave_input: true}", reference=reference)
    demo.generate()
    assert sentence(demo, reference.replace("2", "1")).startswith("2 lines from line 3 on are missing, among them `Bo`")
    assert sentence(demo, "print('Hello', input())\n") == (
        "The output is right up to line 2 and stops there; 3 lines are missing."
    )


def test_programs_that_print_other_things_are_no_group(demo: OneProgram) -> None:
    demo.write("- {id: one, input: [x], expect: [{contains: The word was tact}]}")
    sources = {"ann": "input()\nprint('It was tact')\n", "bo": "input()\n", "cy": "input()\nprint('won')\n"}
    for student, source in (*sources.items(), ("dan", sources["ann"])):
        folder = demo.folder / "submissions" / "demo" / student
        folder.mkdir(parents=True)
        (folder / "p.py").write_text(source)
    options = grader.GradeOptions(sandbox=demo.sandbox)
    graded = grader.grade(demo.folder / "submissions" / "demo", course=demo.folder, options=options)
    groups = groups_of(row.graded for row in graded.students)
    assert sorted(group.students for group in groups) == [("ann", "dan"), *((name,) for name in ("bo", "cy"))]


ASKS = """\
while True:
    line = input('Option: ')
    if line == 'q':
        print('Bye')
        break
    print('Cards', len(line) if line.islower() else 'Error')
    print('More')
    print('Score: 5')
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "    print('Cards'",
            "    if line == '+1':\n        print('One')\n    print('Cards'",
            "After the input `+1`: line 6, `One`, should not be there; all else is right, one line too late.",
        ),
        (
            "    print('Cards'",
            "    if not line:\n        print('One')\n    print('Cards'",
            "After the input of a blank line: line 10, `One`, should not be there; all else is right, ",
        ),
        (
            "    print('Cards'",
            "    if line == 'd':\n        print('Error: d')\n        continue\n    print('Cards'",
            "After the input `d`: line 2 is `Error: d`; expected `Cards 1`.",
        ),
        (
            "line == 'q'",
            "line in ('q', '+1')",
            "After the input `+1`: line 6, `Bye`, comes 2 inputs too early; expected `Cards Error`.",
        ),
        (
            "        break\n",
            "        input('Option: ')\n",
            "The program asks for input again after the test's last line was typed (line 5: `input('Option: ')`).",
        ),
        (
            "        print('Bye')\n",
            "        input('Option: ')\n",
            "The program asks for input again after the test's last line was typed (line 4: `input('Option: ')`); "
            "expected in place of that: `Bye`.",
        ),
        (
            "        print('Bye')\n",
            "",
            "The output is right up to line 13 and stops there; one line, `Bye`, is missing.",
        ),
        (
            "    if line == 'q'",
            "    if not line:\n        break\n    if line == 'q'",
            "The program ends after the input of a ",
        ),
    ],
)
def test_the_input_before_the_mistake_is_named(demo: OneProgram, old: str, new: str, said: str) -> None:
    demo.write("- {id: one, input: [d, +1, '', q]}", reference=ASKS)
    demo.generate()
    assert old in ASKS
    assert sentence(demo, ASKS.replace(old, new, 1)).startswith(said)


WITH_RULES = r"""
from because import because

print("left | rounds")
print(because("every game counts", "  ") + because("left in the deck", "4 | ") + because("a round is a square", "12"))
print("done")
print(because("the card is drawn", "You draw AS"))
print(because("the card is drawn", "   AS"))
print("bye")
"""


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("  4 |", "  8 |", "left in the deck"),
        ("| 12", "| 13", "a round is a square"),
        ("  4 | 12", "  8 | 13", "every game counts"),
        ("  4 | 12", " 10 | none", "every game counts"),
        ("You draw AS\n", "", "the card is drawn"),
        ("   AS\n", "", None),
        ("You draw AS", "", None),
    ],
)
def test_a_rule_belongs_to_what_differs(demo: OneProgram, old: str, new: str, rule: str | None) -> None:
    demo.write("- {id: one, input: []}", reference=WITH_RULES)
    demo.generate()
    printed = "left | rounds\n  4 | 12\ndone\nYou draw AS\n   AS\nbye\n".replace(old, new)
    assert demo.results(f"print({printed!r}, end='')\n")["one"].because == rule


@pytest.mark.parametrize("rows", ["  0 | 60%\n  2 | 10%\n  3 | 10%\n", "  0 | 60%\n  4 | 40%\n"])
def test_a_rule_of_a_table_belongs_to_rows_too_many_and_missing(demo: OneProgram, rows: str) -> None:
    reference = """
from because import because

for row in ("  0 | 60%", "  3 | 20%", "  4 | 20%"):
    print(because("all games count", row))
"""
    demo.write("- {id: one, input: []}", reference=reference)
    demo.generate()
    result = demo.results(f"print({rows!r}, end='')\n")["one"]
    assert result.judgement.diagnosis is not None
    assert result.judgement.diagnosis.cause in (EXTRA_LINE, MISSING_LINE)
    assert result.because == "all games count"


REQUESTS = r"""
from because import because

LINES = [because(f"step {number // 2}", f"line {number}") for number in range(6)]
while (request := input("Which lines? ")) != "q":
    first, last = map(int, request.split())
    print(*LINES[first:last], sep="\n")
"""


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [("[first:", "[first + 1:", None), (":last]", ":last - 1]", None), ("range(6)", "(0, 1, 3, 4, 5)", "step 1")],
)
def test_no_rule_is_broken_where_an_answer_lacks_its_first_or_last_line(
    demo: OneProgram, old: str, new: str, rule: str | None
) -> None:
    demo.write(
        "- {id: one, input: ['0 3', q]}" if "last" in old else "- {id: one, input: ['1 6', q]}", reference=REQUESTS
    )
    demo.generate()
    mine = REQUESTS.replace("from because import because", "def because(rule, text):\n    return text")
    result = demo.results(mine.replace(old, new))["one"]
    assert result.judgement.diagnosis is not None
    assert result.because == rule


def test_a_rule_is_broken_where_the_program_stops_asking_too_early(demo: OneProgram) -> None:
    reference = """
from because import because

for turn in ("one", "two", "three"):
    if input("Go on? ") == "n":
        break
    print(because("the game goes on until n is typed", f"turn {turn}"))
print("The end")
"""
    demo.write("- {id: one, input: ['', '', n], may_leave_input: true}", reference=reference)
    demo.generate()
    mine = reference.replace("from because import because", "def because(rule, text):\n    return text")
    assert demo.results(mine.replace('== "n"', '!= "y"'))["one"].because == "the game goes on until n is typed"


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("'3' < 4", "; is int(), float() or str() missing around a value?"),
        ("'3' * 1.5", "; is int(), float() or str() missing around a value?"),
        ("2.5 - '3'", "; is int(), float() or str() missing around a value?"),
        ("'Sum: ' + 4", "; is int(), float() or str() missing around a value?"),
        ("range('3')", "; is int(), float() or str() missing around a value?"),
        ("[1, 2]['1']", "; is int(), float() or str() missing around a value?"),
        ("'3' + []", "to str."),
        ("print('') + 1", "; does every path through the function that gave this value end with a return?"),
        ("[].size", "has no attribute 'size'."),
    ],
)
def test_a_value_of_the_wrong_type_is_followed_by_a_question(demo: OneProgram, line: str, hint: str) -> None:
    demo.write("- {id: one, input: [], expect: [{contains: won}]}")
    assert hint in sentence(demo, f"value = {line}\n")
    assert sentence(demo, f"value = {line}\n").startswith(f"The program stops in line 1 (`value = {line}`) with ")
