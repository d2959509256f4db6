"""The clean interpreter, its environment, and its interactive prompt."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from grader.errors import SessionError
from grader.model.outcome import Termination
from grader.run.find_python import python_at
from grader.run.interpreter import Interpreter, student_environment
from grader.run.terminal.session import run_dialogue

VERSIONS = ("3.11", "3.12", "3.13")


def _installed(version: str) -> Path | None:
    """Find a Python of this version: the running one, one on PATH, or one of a version manager."""
    if sys.version.startswith(f"{version}."):
        return Path(sys.executable)
    managed = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python3"))
    found = shutil.which(f"python{version}")
    return managed[0] if managed else Path(found) if found else None


@pytest.fixture(scope="module", params=VERSIONS)
def each_interpreter(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Interpreter:
    python = _installed(request.param)
    if python is None:
        pytest.skip(f"Python {request.param} is not installed")
    return student_environment(tmp_path_factory.mktemp("interpreter"), python_at(python))


def test_the_prompt(each_interpreter: Interpreter, tmp_path: Path) -> None:
    (tmp_path / "cards.py").write_text("def f(n):\n    for i in range(n):\n        print('🂡' * i)\n", encoding="utf-8")

    outcome = run_dialogue(each_interpreter.prompt(tmp_path), ["from cards import f", "f(3)", "f"])

    start = ">>> from cards import f\n>>> f(3)\n\n🂡\n🂡🂡\n>>> f\n<function f at 0x"
    assert outcome.transcript.startswith(start)
    assert outcome.transcript.endswith(">\n>>> \n")
    assert (outcome.ending, outcome.exit_code, outcome.unsent) == (Termination.EXITED, 0, 0)


def test_a_function_typed_at_the_prompt(each_interpreter: Interpreter, tmp_path: Path) -> None:
    outcome = run_dialogue(
        each_interpreter.prompt(tmp_path), ["def f(x):", "\treturn x + 1", "", "f(3)", "f(input('? '))", "4"]
    )

    assert outcome.transcript == (
        ">>> def f(x):\n... \treturn x + 1\n... \n>>> f(3)\n4\n>>> f(input('? '))\n? 4\n"
        "Traceback (most recent call last):\n" + outcome.transcript.partition("call last):\n")[2]
    )
    assert 'TypeError: can only concatenate str (not "int") to str\n>>> \n' in outcome.transcript


def test_leaving_the_prompt(each_interpreter: Interpreter, tmp_path: Path) -> None:
    outcome = run_dialogue(each_interpreter.prompt(tmp_path), ["import sys", "sys.exit(4)", "unsent"])

    assert outcome.transcript == ">>> import sys\n>>> sys.exit(4)\n"
    assert (outcome.exit_code, outcome.unsent) == (4, 1)


def test_the_prompt_starts_with_an_empty_namespace(each_interpreter: Interpreter, tmp_path: Path) -> None:
    lines = [
        "[name for name in dir() if not name.startswith('__')], 'readline' in __import__('sys').modules",
        "import os, sys",
        "sys.path[0], [name for name in os.environ if name in ('PYTHONPATH', 'PYTHONSTARTUP')]",
        "import readline",
    ]
    outcome = run_dialogue(each_interpreter.prompt(tmp_path), lines)

    assert outcome.transcript == (
        f">>> {lines[0]}\n([], False)\n>>> {lines[1]}\n>>> {lines[2]}\n('', [])\n>>> {lines[3]}\n>>> \n"
    )


def test_a_program_sees_nothing_of_ours(
    each_interpreter: Interpreter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_OF_OURS", "x")
    monkeypatch.setenv("PYTHONSTARTUP", "/nowhere.py")
    (tmp_path / "sibling.py").write_text("name = 'sibling'\n")
    (tmp_path / "program.py").write_text(
        "import os, signal, site, sys, sibling\n"
        "print(sibling.name, sorted(os.environ))\n"
        "print(os.getcwd(), os.path.expanduser('~/x'), sys.argv, sys.path[0] == os.getcwd())\n"
        "print({name for name in sys.path if 'packages' in name} <= {*site.getsitepackages()}, site.ENABLE_USER_SITE)\n"
        "print(sorted(n for n in os.listdir('/proc/self/fd') if int(n) < 100))\n"
        "print([os.isatty(n) for n in range(3)], os.ttyname(0) == os.ttyname(2), sys.stdout.encoding)\n"
        "print(signal.pthread_sigmask(signal.SIG_BLOCK, []), signal.getsignal(signal.SIGHUP) == signal.SIG_DFL)\n"
        "print(os.getsid(0) == os.getpgid(0) == os.tcgetpgrp(0) == os.getpid())\n"
    )

    outcome = run_dialogue(each_interpreter.program("program.py", tmp_path, {"EXTRA": "1"}), [])

    ours = [
        "EXTRA", "HOME", "LANG", "LC_ALL", "NO_COLOR", "PATH", "PWD", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED",
        "PYTHON_BASIC_REPL", "PYTHON_COLORS", "TERM",
    ]  # fmt: skip
    assert outcome.transcript == (
        f"sibling {ours}\n. x ['program.py'] True\nTrue False\n['0', '1', '2', '3']\n"
        "[True, True, True] True utf-8\nset() True\nTrue\n"
    )


def test_set_order_is_the_same_in_every_run(interpreter: Interpreter, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("print({'hearts', 'spades', 'clubs', 'diamonds'})\n")

    assert len({run_dialogue(interpreter.program("program.py", tmp_path), []).transcript for _ in range(8)}) == 1


def test_the_real_installation_stands_behind_the_environment(tmp_path: Path) -> None:
    interpreter = student_environment(tmp_path / "new folder")

    real = interpreter.executable.resolve()
    assert real == Path(sys.executable).resolve()
    assert not real.is_relative_to(tmp_path)
    assert interpreter.version == ".".join(map(str, sys.version_info[:3]))
    packages = list(interpreter.executable.parent.parent.glob("lib/python*/site-packages/*"))
    assert packages == []


def test_environments_of_one_folder_do_not_clash(tmp_path: Path) -> None:
    assert student_environment(tmp_path).executable != student_environment(tmp_path).executable


def test_a_script_in_place_of_python_is_followed(tmp_path: Path) -> None:
    shim = tmp_path / "python-by-name"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    shim.chmod(0o755)

    interpreter = student_environment(tmp_path / "environments", python_at(shim))

    assert interpreter.executable.resolve() == Path(sys.executable).resolve()


@pytest.mark.parametrize(("script", "message"), [("echo hello", "not a Python"), ("echo broken >&2; exit 1", "broken")])
def test_what_is_no_python_is_our_failure(tmp_path: Path, script: str, message: str) -> None:
    impostor = tmp_path / "impostor"
    impostor.write_text(f"#!/bin/sh\n{script}\n")
    impostor.chmod(0o755)

    with pytest.raises(SessionError, match=message):
        python_at(impostor)
    with pytest.raises(SessionError, match="there is no Python"):
        python_at(Path("python-that-is-not-there"))


@pytest.mark.parametrize("name", ["with blank", "line\nend", "quo'te\"s", "$(exit)", "-dash", "tail "])
def test_any_folder_name_will_do(interpreter: Interpreter, tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    (folder / "a b.py").write_text("import os; print(os.getcwd()); raise KeyError(__file__)")

    outcome = run_dialogue(interpreter.program("a b.py", folder), [])

    assert outcome.exit_code == 1
    assert outcome.transcript.startswith('.\nTraceback (most recent call last):\n  File "a b.py", line 1, in')
    assert os.fspath(tmp_path) not in outcome.transcript
