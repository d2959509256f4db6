"""Changed C programs are proposed that repair what beginners get wrong."""

import pytest

from grader.plugins.locating.repairing.c_changes import (
    c_texts,
    c_texts_for_line,
    c_texts_of_accepted,
    changed_c_programs,
)
from grader.plugins.locating.repairing.c_lines import c_text, flat_c_lines
from grader.plugins.locating.repairing.texts import PrintedLine


def formatted(text: str) -> str:
    return c_text(flat_c_lines(text))


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("while (a < 3) b();", "while (a <= 3) b();"),
        ("if (a = 3) b();", "if (a == 3) b();"),
        ("int n = 1;", "int n = 0;"),
        ("int n;", "long n;"),
        ('printf("%d", x);', 'printf("%.2f", x);'),
        ("a = b / c;", "a = (double) b / c;"),
        ("a[n] = 1;", "a[n - 1] = 1;"),
        ("a = b; c = a;", "a = c; c = a;"),
        ("a(); b();", "b(); a();"),
        ("if (a) { b(); c(); }", "if (a) { b(); } c();"),
    ],
)
def test_a_change_repairs_the_program(wrong: str, right: str) -> None:
    assert formatted(right) in list(changed_c_programs(wrong))


@pytest.mark.parametrize(
    ("wrong", "printed", "expected", "right"),
    [
        ('printf("sum: %d\\n", n);', "sum: 3", "Sum: 3", 'printf("Sum: %d\\n", n);'),
        ('printf("%d", n);', "3", "3", 'printf("%d\\n", n);'),
        ('printf("%d %%\\n", n);', "3 %", "3 %", 'printf("%d %%", n);'),
    ],
)
def test_a_text_is_changed_to_the_expected_one(wrong: str, printed: str, expected: str, right: str) -> None:
    assert formatted(right) in list(c_texts_for_line(wrong, PrintedLine(printed, expected)))


def test_a_text_is_replaced_by_a_similar_one_of_accepted_programs() -> None:
    accepted = [c_texts('#include "a.h"\nputs("yes, it is");'), c_texts('puts("no");')]
    assert accepted[0] == {"yes, it is"}
    assert list(c_texts_of_accepted('puts("yes it is");\nputs("no");', accepted)) == [
        'puts("yes, it is");\nputs("no");\n'
    ]
