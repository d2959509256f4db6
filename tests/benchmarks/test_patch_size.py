"""The size of a patch is the distance of the syntax trees."""

import pytest

from benchmarks.patch_size import patched, relative_patch_size
from grader.plugins.locating.repairing.finding import code_diff

PROGRAM = "def f(a):\n    b = 1\n    c = 2\n    d = 3\n    e = 4\n    g = 5\n    return a\n"


@pytest.mark.parametrize(
    ("before", "after", "changed", "size"),
    [
        ("x = 1", "x = 1", 0, 4),
        ("x = 1", "y = 1", 1, 4),
        ("x = a < b", "x = a <= b", 1, 7),
        ("print(x)", "print(x + 1)", 3, 5),
        ("f(g(x))", "g(x)", 2, 7),
        ("a\nb\nc", "a\nc", 2, 7),
    ],
)
def test_the_distance_counts_nodes(before: str, after: str, changed: int, size: int) -> None:
    assert relative_patch_size(before, after) == pytest.approx(changed / size)


@pytest.mark.parametrize(
    "after",
    [
        PROGRAM,
        PROGRAM.replace("b = 1", "b = 2"),
        PROGRAM.replace("    b = 1\n", ""),
        PROGRAM.replace("    return a\n", "    a += 1\n    return a\n"),
        "import math\n" + PROGRAM.replace("g = 5", "g = 6\n    h = 7"),
    ],
)
def test_a_diff_is_applied(after: str) -> None:
    assert patched(PROGRAM, code_diff("a.py", PROGRAM, after)) == after
