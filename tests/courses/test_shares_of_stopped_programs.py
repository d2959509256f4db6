"""Shares of programs that end as they should not: for what they did, and neither for a crash report nor for a fake."""

from decimal import Decimal
from fractions import Fraction

import pytest

from tests.courses.conftest import IN_EACH_SANDBOX, OneProgram

CALLS = """
- {id: lines, calls: [show(3), show(4)], expect: [{lines: reference}, {contains: zebra}]}
- {id: unordered, calls: [show(3), show(4)], expect: [{unordered: reference}, {contains: zebra}]}
- {id: numbers, calls: [show(3), show(4)], expect: [{numbers: reference}, {contains: zebra}]}
- {id: one, call: show(3), expect: [{lines: reference}, {contains: zebra}]}
- {id: json, calls: [js(3), None], expect: [{json: reference}, {contains: zebra}]}
"""
SHOWS = """\
def show(n):
    print("line", n)
    print("zebra")

def js(n):
    print('{"zebra": 1}')
"""
STOPS = {
    "exit": "import sys\ndef show(n):\n    print('x')\n    sys.exit(4)\njs = show\n",
    "exit at once": "import sys\ndef show(n):\n    sys.exit()\njs = show\n",
    "crash": "def show(n):\n    print('x')\n    1 / 0\njs = show\n",
    "missing": "print('x')\n",
    "end of Python": "import os\ndef show(n):\n    print('x', flush=True)\n    os._exit(0)\njs = show\n",
    "asking": "def show(n):\n    print('x')\n    input()\njs = show\n",
    "asking at import": "print('x')\ninput()\n",
    "endless": "import time\ndef show(n):\n    print('x', flush=True)\n    while True: time.sleep(9)\njs = show\n",
}


def shares(demo: OneProgram, source: str) -> dict[str, Fraction | Decimal]:
    results = demo.results(source)
    assert {name for name, result in results.items() if result.verdict in ("passed", "internal-error")} == set()
    return {name: result.judgement.score or Fraction(0) for name, result in results.items()}


def keeping(tests: str) -> str:
    """The tests with `partial: checks`, of which a stopped program keeps its share."""
    return tests.replace("}\n", ", partial: checks, partial_if_stopped: true, limits: {wall_seconds: 1}}\n")


@pytest.mark.slow
@IN_EACH_SANDBOX
@pytest.mark.parametrize("stop", STOPS)
def test_a_call_that_stops_is_compared_with_the_reference(stop: str, demo: OneProgram) -> None:
    demo.write(keeping(CALLS), reference=SHOWS, marks=5)
    demo.generate()
    assert shares(demo, STOPS[stop]) == dict.fromkeys(("lines", "unordered", "numbers", "one", "json"), 0)


@pytest.mark.slow
@IN_EACH_SANDBOX
def test_a_call_that_stops_keeps_what_is_right(demo: OneProgram) -> None:
    demo.write(keeping(CALLS), reference=SHOWS, marks=5)
    demo.generate()
    stops = "import sys\n" + SHOWS.replace('    print("zebra")\n', '    print("zebra")\n    sys.exit(4)\n')
    earned = shares(demo, stops.replace("1}')", "1}')\n    sys.exit(4)"))
    assert earned == {name: Fraction(1, 2) for name in ("lines", "unordered", "numbers", "one", "json")}


FAKE = 'Traceback (most recent call last):\\n  File "p.py", line 3, in <module>\\n'
ENDINGS = """
- {id: checks, stdin_text: "3\\n", expect: [{contains: hello}, {contains: three}], partial: checks}
- {id: lines, stdin_text: "3\\n", expected: "hello\\nthree\\n", partial: lines}
- {id: steps, input: ["3"], partial: steps}
- {id: miles, stdin_text: "3\\n", expected: "hello\\nthree\\n", milestones: [{line: hello, share: 0.5}]}
- {id: beside, stdin_text: "3\\n", milestones: [{text: hello, share: 0.5}], expect: [{contains: three}]}
- id: open
  stdin_text: "4\\n"
  expected: "<<any>>\\nhello\\nthree\\n"
  partial: lines
  compare: {wildcard_texts: ["<<any>>"]}
"""


ENDS, FAILS = "EOFError: EOF when reading a line", "ValueError: no"
FIRST, LAST = "{fake}\nprint('hello')", "print('hello')\n{fake}"


@pytest.mark.slow
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
@pytest.mark.parametrize(
    ("status", "fault", "printed"),
    [(3, ENDS, FIRST), (3, ENDS, LAST), (3, FAILS, LAST), (1, FAILS, FIRST), (1, FAILS, LAST)],
)
def test_a_printed_traceback_excuses_no_exit_status(
    status: int, fault: str, printed: str, stream: str, demo: OneProgram
) -> None:
    demo.write(ENDINGS, reference="if input() == '4': print('<<any>>')\nprint('hello')\nprint('three')\n", marks=6)
    demo.generate()
    shown = printed.format(fake=f"print('''{FAKE}{fault}''', file=sys.{stream})")
    source = f"import sys\nx = input()\n{shown}\nsys.exit({status})"
    assert set(shares(demo, source).values()) == {0}


@pytest.mark.slow
def test_a_traceback_in_a_text_of_ones_own_excuses_no_exit_status(demo: OneProgram) -> None:
    demo.write(ENDINGS, reference="if input() == '4': print('<<any>>')\nprint('hello')\nprint('three')\n", marks=6)
    demo.generate()
    source = f"import sys\nx = input()\nprint('''{FAKE}{ENDS}''')\nprint('hello')\nsys.exit(1)"
    assert set(shares(demo, source).values()) == {0}


CRASHES = {
    "an error": "1 / 0",
    "a chain": "try:\n    1 / 0\nexcept ZeroDivisionError:\n    [][0]",
    "bad syntax": "1 +",
    "bad characters": "'\\udcff'",
    "deep recursion": "def f(): f()\nf()",
    "a group": "raise ExceptionGroup('Error', [ValueError(1), ExceptionGroup('x', [KeyError()])])",
    "a group with a traceback inside": (
        "try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    raise ExceptionGroup('Error', [error])"
    ),
    "a name of two lines": "raise type('Error x\\n y', (Exception,), {})('bad')",
}
REPORTS = """
- {id: lacks, stdin_text: "", expect: [{contains: hello}, {lacks: goodbye}]}
- {id: errors, stdin_text: "", exit_status: any, expect: [{contains: hello}, {in: stderr, contains: Error}]}
- {id: shown, input: [], expect: [{contains: hello}, {lacks: goodbye}]}
"""


@IN_EACH_SANDBOX
@pytest.mark.parametrize("crash", CRASHES)
def test_what_python_says_of_a_crash_earns_nothing(crash: str, demo: OneProgram) -> None:
    demo.write(keeping(REPORTS), marks=3)
    assert shares(demo, CRASHES[crash]) == {"lacks": 0, "errors": 0, "shown": 0}


@IN_EACH_SANDBOX
def test_what_a_program_says_before_it_crashes_counts(demo: OneProgram) -> None:
    demo.write(keeping(REPORTS), marks=3)
    said = shares(demo, "import sys\nprint('Error: no', file=sys.stderr)\n1 / 0")
    assert said == {name: Fraction(1, 2) for name in ("lacks", "errors", "shown")}


ASKS_ON = """
- {id: checks, input: [Bo], expect: [{contains: Hello}, {contains: "Sum: 6"}], partial: checks}
- {id: stated, input: [Bo], expect: [{contains: Hello, share: 0.4}, {contains: "Sum: 6", share: 0.6}]}
- {id: miles, input: [Bo], expect: [{contains: "Sum: 6"}], milestones: [{text: Hello, share: 0.5}]}
- {id: piped, stdin_text: "Bo\\n", expect: [{contains: Hello}, {contains: "Sum: 6"}], partial: checks}
"""
GREETS = "name = input('Name: ')\nprint('Hello,', name)\n"
ASKED, SUM = "input('Press Enter')\n", "print('Sum: 6')\n"


@IN_EACH_SANDBOX
@pytest.mark.parametrize(
    ("rest", "earned"),
    [
        (ASKED + SUM, dict.fromkeys(("checks", "stated", "miles", "piped"), 0)),
        (
            SUM + ASKED,
            {"checks": Fraction(1, 2), "stated": Fraction(3, 5), "miles": Fraction(1, 2), "piped": Fraction(1, 2)},
        ),
    ],
    ids=["in the middle", "at the end"],
)
def test_a_program_that_asks_on_keeps_its_share_if_every_check_holds(
    rest: str, earned: dict[str, Fraction], demo: OneProgram
) -> None:
    demo.write(ASKS_ON, marks=4)
    assert shares(demo, GREETS + rest) == earned
