"""Tracebacks of real programs, run by every Python from 3.11 on that is at hand."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.judge.traceback import Traceback, find_traceback, first_traceback

UNHURRIED = settings(deadline=None)


def pythons() -> list[str]:
    """The Python that runs the tests, and others on PATH that work."""
    others = [shutil.which(f"python3.{minor}") for minor in range(11, 20)]
    found = {_identity(python): python for python in (*filter(None, others), sys.executable)}
    found.pop(None, None)
    return list(found.values())


def _identity(python: str) -> str | None:
    command = [python, "-c", "import sys; print(sys.version)"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


@pytest.fixture(params=pythons(), ids=lambda python: Path(python).name)
def python(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def run(python: str, folder: Path, program: str | bytes, typed: str | None = None) -> str:
    """What `python game.py`, or Python's prompt when something is typed, shows in `folder`, which is then left out."""
    source = dedent(program).encode() if isinstance(program, str) else program
    (folder / "game.py").write_bytes(source)
    command = [python, "game.py"] if typed is None else [python, "-q", "-i"]
    environment = {**os.environ, "PYTHON_COLORS": "0", "PYTHON_BASIC_REPL": "1", "PYTHONSAFEPATH": ""}
    done = subprocess.run(
        command,
        cwd=folder,
        input=(typed or "").encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        check=False,
    )
    output = done.stdout.decode("utf-8", "surrogateescape")
    return output.replace(f"{folder.resolve()}/", "").replace(f"{folder}/", "")


def found_in(output: str) -> Traceback:
    found = find_traceback(output, "game.py")
    assert found is not None
    return found


def said(found: Traceback) -> tuple[str, str, str, int | None, str]:
    return found.error, found.message, found.file, found.line, found.code


CASES = {
    "with marks under the code": (
        "x = [1, 2]\nprint('start')\nprint(x[0] + (x[1] * (x[0] / 0)))\n",
        ("ZeroDivisionError", "division by zero", "game.py", 3, "print(x[0] + (x[1] * (x[0] / 0)))"),
    ),
    "while handling another exception": (
        """\
        def read(text):
            try:
                return int(text)
            except ValueError:
                return fallback
        read("x")
        """,
        ("NameError", "name 'fallback' is not defined", "game.py", 5, "return fallback"),
    ),
    "raised from another exception": (
        """\
        try:
            {}["x"]
        except KeyError as error:
            raise RuntimeError("no card") from error
        """,
        ("RuntimeError", "no card", "game.py", 4, 'raise RuntimeError("no card") from error'),
    ),
    "raised in the library": (
        'import json\n\ndef load():\n    return json.loads("{")\n\nload()\n',
        (
            "json.decoder.JSONDecodeError",
            "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
            "game.py",
            4,
            'return json.loads("{")',
        ),
    ),
    "endless recursion": (
        "def play(n):\n    return play(n + 1)\n\nplay(0)\n",
        ("RecursionError", "maximum recursion depth exceeded", "game.py", 2, "return play(n + 1)"),
    ),
    "message of several lines": (
        'raise ValueError("first\\nsecond\\nthird")\n',
        ("ValueError", "first", "game.py", 1, 'raise ValueError("first\\nsecond\\nthird")'),
    ),
    "message that begins with an empty line": (
        'raise ValueError("\\nfirst")\n',
        ("ValueError", "first", "game.py", 1, 'raise ValueError("\\nfirst")'),
    ),
    "no message": ("assert 1 > 2\n", ("AssertionError", "", "game.py", 1, "assert 1 > 2")),
    "named in lowercase": (
        "class oops(Exception): pass\nraise oops\n",
        ("oops", "", "game.py", 2, "raise oops"),
    ),
    "defined in a function": (
        """\
        def play():
            class Lost(Exception): pass
            raise Lost("the game")
        play()
        """,
        ("play.<locals>.Lost", "the game", "game.py", 3, 'raise Lost("the game")'),
    ),
    "end of input": (
        'answer = input("Seed: ")\n',
        ("EOFError", "EOF when reading a line", "game.py", 1, 'answer = input("Seed: ")'),
    ),
    "interrupted": ("raise KeyboardInterrupt\n", ("KeyboardInterrupt", "", "game.py", 1, "raise KeyboardInterrupt")),
    "too little memory": (
        "raise MemoryError\n",
        ("MemoryError", "", "game.py", 1, "raise MemoryError"),
    ),
    "code of several lines": (
        "x = [1]\ny = (x[0] +\n     x[5])\n",
        ("IndexError", "list index out of range", "game.py", 3, "x[5])"),
    ),
    "a group": (
        "raise ExceptionGroup('bad', [ValueError(1)])\n",
        ("ExceptionGroup", "bad (1 sub-exception)", "game.py", 1, "raise ExceptionGroup('bad', [ValueError(1)])"),
    ),
    "a group with a traceback inside": (
        "try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    raise ExceptionGroup('bad', [error])\n",
        ("ExceptionGroup", "bad (1 sub-exception)", "game.py", 4, "raise ExceptionGroup('bad', [error])"),
    ),
    "an error after a group that was handled": (
        "import traceback\ntry:\n    raise ExceptionGroup('bad', [ValueError(1)])\nexcept* ValueError:\n"
        "    traceback.print_exc()\n[][0]\n",
        ("IndexError", "list index out of range", "game.py", 6, "[][0]"),
    ),
    "a name of two lines": (
        "raise type('E x\\n y', (Exception,), {})('bad')\n",
        ("E x", "y: bad", "game.py", 1, "raise type('E x\\n y', (Exception,), {})('bad')"),
    ),
    "with a note": (
        "error = ValueError('bad')\nerror.add_note('a note')\nraise error\n",
        ("ValueError", "bad", "game.py", 3, "raise error"),
    ),
}


@pytest.mark.parametrize(("program", "expected"), CASES.values(), ids=CASES)
def test_uncaught_exception(
    python: str, tmp_path: Path, program: str, expected: tuple[str, str, str, int | None, str]
) -> None:
    found = found_in(run(python, tmp_path, program))
    assert said(found) == expected
    assert not found.compiling


UNREADABLE = {
    "syntax": (b"print(1)\nx =\n", ("SyntaxError", "invalid syntax", "game.py", 2, "x =")),
    "indentation": (
        b"def f():\n  x = 1\n    y = 2\n",
        ("IndentationError", "unexpected indent", "game.py", 3, "y = 2"),
    ),
    "tabs": (
        b"def f():\n\tx = 1\n        y = 2\n",
        ("TabError", "inconsistent use of tabs and spaces in indentation", "game.py", 3, "y = 2"),
    ),
}
if sys.version_info >= (3, 11, 4):
    # Before, Python reads on after a null character.
    UNREADABLE["null character"] = (
        b"print(1)\0\n",
        ("SyntaxError", "source code cannot contain null bytes", "game.py", 1, "print(1)"),
    )


@pytest.mark.parametrize(("program", "expected"), UNREADABLE.values(), ids=UNREADABLE)
def test_program_that_is_not_python(
    python: str, tmp_path: Path, program: bytes, expected: tuple[str, str, str, int | None, str]
) -> None:
    output = run(python, tmp_path, program)
    assert "Traceback" not in output
    assert said(found_in(output)) == expected
    assert found_in(output).compiling


def test_program_that_is_not_utf_8(python: str, tmp_path: Path) -> None:
    output = run(python, tmp_path, b'print(1)\nprint("\xff")\n')
    found = found_in(output)
    # Python 3.14 counts the lines wrongly.
    line = 1 if "on line 1," in output else 2
    assert (found.error, found.file, found.line, found.compiling) == ("SyntaxError", "game.py", line, True)
    assert found.message.startswith("Non-UTF-8 code starting with")


@pytest.mark.parametrize("program", ["# coding: foo\n", "\ufeff# coding: latin-1\n"])
def test_program_in_another_encoding_than_it_says(python: str, tmp_path: Path, program: str) -> None:
    found = found_in(run(python, tmp_path, program))
    assert (found.error, found.line, found.compiling) == ("SyntaxError", None, True)
    assert found.message.startswith("encoding problem: ")


def test_error_in_another_file_of_the_student(python: str, tmp_path: Path) -> None:
    (tmp_path / "cards.py").write_text("def deal():\n    return [][0]\n")
    found = found_in(run(python, tmp_path, "import cards\ncards.deal()\n"))
    assert said(found) == ("IndexError", "list index out of range", "cards.py", 2, "return [][0]")


def test_another_file_that_is_not_python(python: str, tmp_path: Path) -> None:
    (tmp_path / "cards.py").write_text("def deal()\n")
    found = found_in(run(python, tmp_path, "import cards\n"))
    assert (found.error, found.file, found.line, found.compiling) == ("SyntaxError", "cards.py", 1, True)


def test_syntax_error_in_evaluated_text_is_an_ordinary_error(python: str, tmp_path: Path) -> None:
    found = found_in(run(python, tmp_path, "eval('1 +')\n"))
    assert (found.error, found.file, found.line, found.code) == ("SyntaxError", "game.py", 1, "eval('1 +')")
    assert not found.compiling


def test_first_error_at_the_prompt_is_found_not_those_it_brings_about(python: str, tmp_path: Path) -> None:
    output = run(python, tmp_path, "import math\nmath.squareroot(2)\n", "from game import play\nplay()\n")
    found = first_traceback(output, "game.py", 0)
    assert found is not None
    expected = "module 'math' has no attribute 'squareroot'"
    assert said(found) == ("AttributeError", expected, "game.py", 2, "math.squareroot(2)")
    last = found_in(output)
    assert (last.error, last.file) == ("NameError", "")


def test_last_of_a_chain_is_found_at_the_prompt(python: str, tmp_path: Path) -> None:
    program = "def play():\n    try:\n        1 / 0\n    except ArithmeticError:\n        nothing\n"
    output = run(python, tmp_path, program, "from game import play\nplay()\nlater\n")
    found = first_traceback(output, "game.py", 0)
    assert found is not None
    assert said(found) == ("NameError", "name 'nothing' is not defined", "game.py", 5, "nothing")


def test_last_of_three_exceptions_is_found_at_the_prompt(python: str, tmp_path: Path) -> None:
    program = """\
        def play():
            try:
                try:
                    1 / 0
                except ArithmeticError as error:
                    raise KeyError("x") from error
            except KeyError:
                raise IndexError("last")
        """
    output = run(python, tmp_path, program, "from game import play\nplay()\n[] + 1\n")
    found = first_traceback(output, "game.py", 0)
    assert found is not None
    assert said(found) == ("IndexError", "last", "game.py", 8, 'raise IndexError("last")')


def test_wrong_call_at_the_prompt_has_no_line_of_the_student(python: str, tmp_path: Path) -> None:
    output = run(python, tmp_path, "def play():\n    pass\n", "from game import play\nplay(1, 2)\n")
    found = first_traceback(output, "game.py", 0)
    assert found is not None
    assert (found.error, found.file, found.line) == ("TypeError", "", None)
    assert found.message == "play() takes 0 positional arguments but 2 were given"


def test_start_of_the_search(python: str, tmp_path: Path) -> None:
    output = run(python, tmp_path, "", "1 / 0\n[][0]\n")
    second = output.rfind("Traceback")
    found = first_traceback(output, "game.py", output.find("Traceback") + 1)
    assert found is not None
    assert (found.error, found.offset) == ("IndexError", second)
    assert first_traceback(output, "game.py", second + 1) is None


def test_long_texts_are_cut(python: str, tmp_path: Path) -> None:
    program = f"class E{'x' * 500}(Exception): pass\nraise E{'x' * 500}('\\x1b[31m' + 'm' * 5000)\n"
    found = found_in(run(python, tmp_path, program))
    assert len(found.error) <= 120
    assert len(found.message) == 121
    assert len(found.code) <= 120


@pytest.mark.parametrize(
    "output",
    [
        "",
        "So glad that you won!\n",
        "Traceback (most recent call last):",
        "Traceback (most recent call last):\n",
        "Traceback (most recent call last):\nhello\n",
        'Traceback (most recent call last):\n  File "game.py", line 1, in f\n',
        'Traceback (most recent call last):\n  File "game.py", line 1, in f\n\n\n',
        "A SyntaxError: in the middle of a line\n",
        "SyntaxError: bad expression\n",
        "SyntaxError: Non-UTF-8 code starting with '\\xff' in file game.py on line 2, but no encoding\n> ",
        '  File "game.py", line 3\nLintError: too long\n',
    ],
)
def test_not_a_traceback(output: str) -> None:
    assert find_traceback(output, "game.py") is None


PIECES = st.sampled_from(
    [
        "Traceback (most recent call last):\n",
        '  File "game.py", line 7, in play\n',
        '  File "game.py", line 99999999999999999999\n',
        "    code()\n",
        "    ^^^^^^\n",
        "ValueError: bad\n",
        "ValueError: \n",
        "SyntaxError: x in file game.py on line 5, but\n",
        "\nDuring handling of the above exception, another exception occurred:\n\n",
        "  [Previous line repeated 990 more times]\n",
        ">>> ",
        "\x1b\udcff",
        "\n",
    ]
)


@UNHURRIED
@given(st.lists(PIECES).map("".join), st.integers(0, 300))
def test_anything_can_be_read(output: str, start: int) -> None:
    for found in (find_traceback(output, "game.py"), first_traceback(output, "game.py", start)):
        if found:
            assert 0 <= found.offset < len(output)
            assert max(map(len, (found.error, found.message, found.code))) <= 121


@pytest.mark.parametrize(
    "output",
    [
        "Traceback (most recent call last):\n" * 100_000,
        "Traceback (most recent call last):\n" + '  File "game.py", line 1, in f\n' * 100_000,
        "Traceback (most recent call last):\n  " + "x" * 5_000_000,
        "SyntaxError: " + " in file x on line" * 200_000,
        "SyntaxError: encoding problem: " + " in file x on line" * 200_000,
        "SyntaxError: encoding problem: x" + "\n" * 500_000 + "y",
        "SyntaxError: " * 400_000,
        "SyntaxError: in file " + "x" * 5_000_000,
        "\n" * 1_000_000,
        '  File "' * 500_000,
    ],
)
def test_large_hostile_outputs_are_read_to_the_end(output: str) -> None:
    for found in (find_traceback(output, "game.py"), first_traceback(output, "game.py", 0)):
        assert found is None or len(found.message) <= 121
