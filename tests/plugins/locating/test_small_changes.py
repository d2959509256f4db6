"""Programs with one small change: what is changed, in which statement, and that the rest stays as it is."""

import ast

import pytest

from grader.plugins.locating.small_changes import small_changes


def changed(text: str) -> list[str]:
    return [change.text for change in small_changes(text)]


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("x = 3", "x = 4"),
        ("x = 3", "x = 2"),
        ("x = 3", "pass"),
        ("x = True", "x = False"),
        ("x = 'Move:'", "x = 'Move: '"),
        ("x = 'Move: '", "x = 'Move:'"),
        ("x = a < b", "x = a <= b"),
        ("x = a < b", "x = a >= b"),
        ("x = a and b", "x = a or b"),
        ("x = a and b", "x = a"),
        ("x = a + b", "x = a - b"),
        ("x = a + b", "x = a"),
        ("x = not a", "x = a"),
        ("x = a if b else c", "x = c if b else a"),
        ("x += a", "x -= a"),
        ("x += a", "x = a"),
        ("x = a.upper()", "x = a"),
        ("x = a.pop()", "x = a.pop(0)"),
        ("x = a.pop(b)", "x = a.pop()"),
        ("x = f(a, b)", "x = f(b, a)"),
        ("x = a[1:]", "x = a[:1]"),
        ("x = a[::b]", "x = a"),
        ("x = (a, b, c)", "x = (a, c, b)"),
        ("x = [a for a in b if a]", "x = [a for a in b]"),
        ("x = f'{a}:'", "x = f'{a}: '"),
        ("if a:\n    b = c", "if not a:\n    b = c"),
        ("while a:\n    break", "while a:\n    pass"),
    ],
)
def test_a_change(text: str, other: str) -> None:
    assert other in changed(text)


def test_the_statement_that_is_changed_is_the_innermost() -> None:
    text = "def f(n):\n    for a in range(\n        n + 1\n    ):\n        g(a,\n          2)\n"
    lines = {change.line for change in small_changes(text)}
    assert lines == {2, 5}


def test_nothing_else_is_changed() -> None:
    text = 'def f(a: int) -> int:\n    """Add 1."""\n    return a + 1\n'
    plain = ast.unparse(ast.parse(text))
    for other in changed(text):
        differing = [line for line, own in zip(other.split("\n"), plain.split("\n"), strict=True) if line != own]
        assert len(differing) == 1
        assert differing[0].startswith("    return")


def test_what_cannot_be_read_has_none() -> None:
    assert changed("x = (") == []
