"""Programs in Python 2 are recognised, and those in Python 3 or for both are not taken for them."""

import pytest

from grader.plugins.importing.python_2 import is_python_2


@pytest.mark.parametrize(
    "source",
    [
        "n = int(raw_input())\nprint(n)\n",
        "for i in xrange(3): print(i)\n",
        "print 'a'\n",
        "if 1: print 3\n",
        "try:\n    pass\nexcept ValueError, error:\n    pass\nx = 1\nprint\n",
        "#!/usr/bin/env python2\nprint(1)\n",
    ],
)
def test_python_2(source: str) -> None:
    assert is_python_2(source.encode())


@pytest.mark.parametrize(
    "source",
    [
        "print(int(input()) * 2)\n",
        "try:\n    input = raw_input\nexcept NameError:\n    pass\nprint(input())\n",
        "xrange = range\nfor i in xrange(3):\n    print(i)\n",
        "print('raw_input()')\n",
        "print (\n",
        "",
    ],
)
def test_python_3(source: str) -> None:
    assert not is_python_2(source.encode())
