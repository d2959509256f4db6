"""A fork is given only source that `python3 FILE` takes too."""

import subprocess
import sys
from pathlib import Path

import pytest

from grader.run.sandbox.starting import SERVER

_PREPARED = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from module_shelf import ModuleShelf
from preparation import prepare
print(len(prepare({"a.py": (Path("a.py").read_bytes(), 0)}, ModuleShelf(set(sys.modules)))[0]))
"""

TAKEN = {
    "plain": b"print(1)\n",
    "UTF-8": b"# caf\xc3\xa9\nprint(1)\n",
    "a byte order mark": b"\xef\xbb\xbfprint(1)\n",
    "its encoding in line 2": b"\n# coding: utf-8\nprint('\xc3\xa9')\n",
}
NOT_TAKEN = {
    "a comment at the beginning": b"# caf\xe9\nprint(1)\n",
    "a comment in the middle": b"print(1)\n# caf\xe9\nprint(2)\n",
    "a comment without a newline": b"print(1)\n# \xff",
    "an encoding in line 3": b"\n\n# coding: latin-1\n# \xe9\nprint(1)\n",
    "half of a pair": b"# \xed\xa0\x80\nprint(1)\n",
    "a string": b"print('\xe9')\n",
}


def prepared(folder: Path, source: bytes) -> bool:
    (folder / "a.py").write_bytes(source)
    command = [sys.executable, "-c", _PREPARED, str(SERVER)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout == "1\n"


def python_takes(folder: Path) -> bool:
    return subprocess.run([sys.executable, "a.py"], cwd=folder, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("name", TAKEN)
def test_what_is_prepared(name: str, tmp_path: Path) -> None:
    assert (prepared(tmp_path, TAKEN[name]), python_takes(tmp_path)) == (True, True)


@pytest.mark.parametrize("name", NOT_TAKEN)
def test_what_python_refuses_is_not_prepared(name: str, tmp_path: Path) -> None:
    assert (prepared(tmp_path, NOT_TAKEN[name]), python_takes(tmp_path)) == (False, False)


def test_what_takes_long_to_compile_is_left_to_the_time_limit_of_a_test(tmp_path: Path) -> None:
    assert not prepared(tmp_path, ("x" + "\u0315\u0300" * 250_000 + " = 1\n").encode())
    assert prepared(tmp_path, ("x = '" + "\u4e2d\u6587 " * 10_000 + "'\n").encode())


def test_another_encoding_is_left_to_python(tmp_path: Path) -> None:
    assert (prepared(tmp_path, b"# coding: latin-1\n# \xe9\nprint(1)\n"), python_takes(tmp_path)) == (False, True)
