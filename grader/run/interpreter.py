"""Creates the Python interpreter that runs students' programs.

It belongs to a fresh virtual environment without packages, based on a real installation. The machine's start-up files
(`.pth` files, user packages, version-manager scripts) therefore neither slow programs down nor change their behaviour.
For the same reason, the environment variables are built from scratch.
"""

import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from grader.errors import SessionError, plain_reason
from grader.model.python_request import minor_version
from grader.run.find_python import StudentPython, run_command
from grader.run.interface import Launch
from grader.run.toolchain import SYSTEM_PATH, find_tool

_PROMPT = "prompt"
# With readline, the interactive prompt would edit lines and complete names when a tab is typed. A module with that name
# which fails to import comes first, so the terminal handles lines as it does for programs. All traces of it are removed
# afterwards.
_NO_READLINE = "raise ImportError\n"
# On a terminal, Node's readline would echo typed text itself, with its own line endings.
_NO_LINE_EDITING = "require('tty').WriteStream.prototype.isTTY = false;\n"
_PROMPT_STARTUP = """\
import os, sys
sys.path.remove(os.environ.pop("PYTHONPATH"))
os.environ.pop("PYTHONSTARTUP")
if hasattr(sys, "__interactivehook__"):
    del sys.__interactivehook__
del os, sys
"""


@dataclass(frozen=True)
class Interpreter:
    """An interpreter in a clean environment in the folder `home`; `version` is a version such as "3.12.1".

    `installation` is the folder of the Python on which it is based.
    """

    home: Path
    version: str
    installation: Path

    @cached_property
    def executable(self) -> Path:
        """The path of the executable."""
        return self.home / "bin" / "python3"

    @property
    def packages(self) -> Path:
        """The folder in which the interpreter looks for packages."""
        return self.home / "lib" / f"python{minor_version(self.version)}" / "site-packages"

    def inside(self, home: Path) -> "Interpreter":
        """Return the interpreter with its environment seen at another path."""
        return replace(self, home=home)

    def program(
        self, file: str, workdir: Path, extra_env: Mapping[str, str] | None = None, arguments: Sequence[str] = ()
    ) -> Launch:
        """Return the launch of `python3 file arguments...` in `workdir`; the name `file` is relative to that folder."""
        return self._launch((str(self.executable), file, *arguments), workdir, extra_env or {})

    def prompt(self, workdir: Path, extra_env: Mapping[str, str] | None = None) -> Launch:
        """Return the launch of `python3 -q`: the interactive prompt in `workdir`, without banner and readline."""
        plain = {"PYTHONSTARTUP": str(self.home / _PROMPT / "startup.py"), "PYTHONPATH": str(self.home / _PROMPT)}
        return self._launch((str(self.executable), "-q"), workdir, {**(extra_env or {}), **plain})

    def command(self, argv: Sequence[str], workdir: Path, extra_env: Mapping[str, str] | None = None) -> Launch:
        """Return the launch of a command in `workdir`: a file such as `./game`, this Python, or an installed program.

        Raises SessionError if the program does not exist.
        """
        name = argv[0]
        path: str | None
        if "/" in name:
            # The program sees its own name as if a person had started it.
            path = name
        elif name in ("python", "python3"):
            path = str(self.executable)
        else:
            path = find_tool(name)
        if path is None:
            raise SessionError(f"there is no program {name!r} in {SYSTEM_PATH}; it must be installed")
        first = (path, "--require", str(self.home / _PROMPT / "terminal.js")) if name == "node" else (path,)
        return self._launch((*first, *argv[1:]), workdir, extra_env or {})

    def _launch(self, argv: tuple[str, ...], workdir: Path, extra: Mapping[str, str]) -> Launch:
        return Launch(argv=argv, workdir=workdir, environment=self.environment(workdir, extra), home=self.home)

    def environment(self, workdir: Path, extra: Mapping[str, str]) -> dict[str, str]:
        """Return all variables of a program that runs in `workdir`."""
        return {
            "PATH": f"{self.executable.parent}:{SYSTEM_PATH}",
            "HOME": str(workdir),
            "PWD": str(workdir),
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
            "TERM": "dumb",
            "NO_COLOR": "1",
            "PYTHON_COLORS": "0",
            "PYTHON_BASIC_REPL": "1",
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
            **extra,
        }


def student_environment(folder: Path, python: StudentPython = StudentPython()) -> Interpreter:
    """Create a clean environment of `python` below `folder`. Raises SessionError if that fails."""
    folder.mkdir(parents=True, exist_ok=True)
    environment = Path(tempfile.mkdtemp(prefix=f"python-{python.version}-", dir=folder)).resolve()
    if python.is_own:
        _make_own_environment(environment)
    else:
        run_command([str(python.executable), "-I", "-m", "venv", "--without-pip", str(environment)])
    environment.chmod(0o755)
    prompt_folder = environment / _PROMPT
    prompt_folder.mkdir()
    (prompt_folder / "startup.py").write_text(_PROMPT_STARTUP, encoding="utf-8")
    (prompt_folder / "readline.py").write_text(_NO_READLINE, encoding="utf-8")
    (prompt_folder / "terminal.js").write_text(_NO_LINE_EDITING, encoding="utf-8")
    return Interpreter(environment, python.version, python.installation)


def _make_own_environment(environment: Path) -> None:
    """Create an environment for the Python that runs the grader, without starting another process."""
    try:
        venv.EnvBuilder(symlinks=os.name != "nt").create(environment)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise SessionError(f"no environment can be made of {sys.executable!r}: {plain_reason(error)}") from error
