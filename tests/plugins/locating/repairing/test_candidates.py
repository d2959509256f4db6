"""Versions of a program are proposed that repair what beginners get wrong."""

import ast

import pytest

from grader.model.outcome import CodeLine
from grader.plugins.locating.ranking import TracedTest
from grader.plugins.locating.repairing.candidates import Candidates
from grader.plugins.locating.repairing.changes import changed_programs, guarded
from grader.plugins.locating.repairing.pieces import pieces
from grader.plugins.locating.repairing.program_lines import program_lines, program_text
from grader.plugins.locating.repairing.renaming import named_program, renamed
from grader.plugins.locating.repairing.suspicion import suspicious_lines
from grader.plugins.locating.repairing.texts import PrintedLine, accepted_texts, texts_for_line, texts_of_accepted


def formatted(text: str) -> str:
    return ast.unparse(ast.parse(text))


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("def f(x):\n    print(x)", "def f(x):\n    return x"),
        ("def f(x):\n    return x.sort()", "def f(x):\n    x.sort()\n    return x"),
        ("a = 1\nprint(b)", "a = 1\nprint(a)"),
        ("def f(x):\n    y = x", "def f(x):\n    y = x\n    return y"),
        ("for i in x:\n    y = 1\n    print(y)", "for i in x:\n    y = 1\nprint(y)"),
        ("for i in x:\n    y = 1\nprint(y)", "for i in x:\n    y = 1\n    print(y)"),
        ("print(a)\na = 1", "a = 1\nprint(a)"),
        ("if a:\n    b()\nelse:\n    c()", "if a:\n    b()\nc()"),
        ("for i in range(n):\n    pass", "for i in range(n + 1):\n    pass"),
        ("print(a[n])", "print(a[n - 1])"),
        ("print(a[:n])", "print(a[:n + 1])"),
        ("while a < n:\n    pass", "while a < n - 1:\n    pass"),
        ("while a < 3:\n    pass", "while a <= 3:\n    pass"),
        ("a += b", "a += [b]"),
        ("def f(a):\n    return a[0]", "def f(a):\n    if not a:\n        return 0\n    return a[0]"),
        ("def f(a):\n    return ()", "def f(a):\n    return 0"),
        ("a = b", "a += b"),
        ("for a in b:\n    b.remove(a)", "for a in b[:]:\n    b.remove(a)"),
        ("for a in b:\n    break", "for a in b:\n    continue"),
        ("a.append(b.pop(c))", "a.append(c)"),
        ("print(a)", "print(sorted(a))"),
    ],
)
def test_a_change_repairs_the_program(wrong: str, right: str) -> None:
    assert formatted(right) in [change.text for change in changed_programs(wrong)]


def test_only_the_given_lines_are_changed() -> None:
    assert {change.line for change in changed_programs("a = 1\nb = 2\nprint(a + b)", [2])} == {2}


def test_a_program_without_a_main_guard_gets_one() -> None:
    text = "def f():\n    pass\nf()\nprint(1)"
    assert list(guarded(text)) == ["def f():\n    pass\nif __name__ == '__main__':\n    f()\n    print(1)"]
    assert list(guarded("if __name__ == '__main__':\n    f()")) == list(guarded("def f():\n    pass")) == []


@pytest.mark.parametrize(
    ("wrong", "printed", "expected", "right"),
    [
        ("print('you won')", "you won", "You won!", "print('You won!')"),
        ("print(f'{n}  cards')", "3  cards", "3 cards", "print(f'{n} cards')"),
        ("print('a\\nsum:', n)", "sum: 3", "Sum: 3", "print('a\\nSum:', n)"),
    ],
)
def test_a_text_is_changed_to_the_expected_one(wrong: str, printed: str, expected: str, right: str) -> None:
    changes = texts_for_line(wrong, PrintedLine(printed, expected))
    assert formatted(right) in [change.text for change in changes]


def test_a_text_is_replaced_by_a_similar_one_of_accepted_programs() -> None:
    accepted = [accepted_texts("print('So sorry that you lost!')"), accepted_texts("print('Other')")]
    [change] = texts_of_accepted("print('So sory that you lost')\nprint('Other')", accepted)
    assert change.text == "print('So sorry that you lost!')\nprint('Other')"


def test_the_names_of_an_accepted_program_become_those_of_the_student() -> None:
    program = named_program("def f(seq):\n    out = []\n    for x in seq:\n        out.append(x)\n    return out")
    other = named_program("def f(a):\n    r = []\n    for i in a:\n        r.append(i)\n    return r")
    assert renamed(program, other) == program.lines


def test_a_name_without_a_counterpart_stays_free() -> None:
    lines = renamed(named_program("def f(n):\n    return n"), named_program("def f(m):\n    n = 2 * m\n    return n"))
    assert program_text(lines) == "def f ( n ) :\n    n_ = 2 * n\n    return n_\n"


def test_the_difference_to_most_accepted_programs_comes_first() -> None:
    program = program_lines("x = 1\nprint(x)")
    accepted = [program_lines(text) for text in ("x = 3\nprint(x)", "x = 2\nprint(x)", "x = 2\nprint(x + 1)")]
    versions = [(tokens, program_text(version).split("\n")[0]) for tokens, version in pieces(program, accepted)]
    assert versions[:2] == [(1, "x = 2"), (1, "x = 3")]


def test_statements_that_only_the_failing_test_runs_are_suspicious() -> None:
    text = "n = 1\n\nif n:\n    n = 2\nprint(n)"

    def traced(*lines: int, passed: bool) -> TracedTest:
        return TracedTest(passed=passed, lines=tuple(CodeLine("a.py", line) for line in lines))

    ranks = suspicious_lines("a.py", text, traced(1, 3, 4, 5, passed=False), [traced(1, 3, 5, passed=True)])
    assert ranks == {3: 0, 4: 1, 2: 2, 1: 3}


def test_versions_come_once_and_suspicious_lines_first() -> None:
    candidates = Candidates(text="", others=(), texts=(), wrong=None, ranks={2: 0, 1: 1})
    versions = list(candidates.of("a = 1\nb = 2"))
    assert len(versions) == len(set(versions))
    assert versions[0].startswith("a = 1\n")


def test_suspicious_lines_are_those_of_the_program_without_comments() -> None:
    program = "# The first.\n\na = 1\n\n# The second.\nb = 2"
    [first, *_] = Candidates(text="", others=(), texts=(), wrong=None, ranks={2: 0, 1: 1}).of(program)
    assert first == "a = 1\nb = 3"


def test_slight_changes_in_other_lines_precede_great_ones() -> None:
    program = "a = 1\nb = a\nc = a < 2"
    versions = list(Candidates(text="", others=(), texts=(), wrong=None, ranks={2: 0, 1: 1, 3: 2}).of(program))
    assert versions.index("a = 1\nb = a\nc = a <= 2") < versions.index("a = 1\nb = c\nc = a < 2")


def test_a_function_corresponds_to_the_same_statements_outside_functions() -> None:
    accepted = named_program("def main():\n    total = int(input())\n    print(f'{total}.')\nmain()")
    program = "number = int(input())\nprint(number)"
    versions = Candidates(text=program, others=(accepted,), texts=(), wrong=None, ranks={}).of(program)
    assert "number = int ( input ( ) )\nprint ( f'{number}.' )\n" in list(versions)


def test_versions_that_cannot_be_read_are_left_out() -> None:
    accepted = named_program("if a:\n    b = 1\n    print(b)")
    program = "if a:\n    b = 1\nprint(b)"
    for version in Candidates(text=program, others=(accepted,), texts=(), wrong=None, ranks={}).of(program):
        ast.parse(version)
