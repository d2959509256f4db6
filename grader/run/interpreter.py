"""Makes the Python interpreter that runs students' programs.

It is the interpreter of a fresh virtual environment without packages, made from a real installation: start-up files of
the machine (`.pth` files, user packages, version-manager scripts) neither slow programs down nor change what they do.
The environment variables are built from nothing for the same reason.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.errors import SessionError
from grader.run.interface import Launch

# What platform.python_version() says, which is another module to import.
_VERSION = sys.version.split()[0]


_SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"


_SECONDS_TO_ANSWER = 60


_PROMPT = "prompt"


# The interactive prompt loads readline, which edits lines and completes names at a tab. A module of that name that
# cannot be imported, found first, leaves lines to the terminal, as in programs; then all traces of it are removed.
_NO_READLINE = "raise ImportError\n"


_PROMPT_STARTUP = """\
import os, sys
sys.path.remove(os.environ.pop("PYTHONPATH"))
os.environ.pop("PYTHONSTARTUP")
if hasattr(sys, "__interactivehook__"):
    del sys.__interactivehook__
del os, sys
"""


_IDENTIFY = (
    "import json, platform, sys;"
    "print(json.dumps([getattr(sys, '_base_executable', sys.executable), platform.python_version(), sys.base_prefix]))"
)


@dataclass(frozen=True)
class Interpreter:
    """An interpreter in a clean environment, the folder `home`; `version` is such as "3.12.1".

    `installation` is the folder of the Python it was made from.
    """

    home: Path
    version: str
    installation: Path

    @property
    def executable(self) -> Path:
        """The interpreter itself."""
        return self.home / "bin" / "python3"

    def inside(self, home: Path) -> "Interpreter":
        """Return the same interpreter where its environment is seen at another place."""
        return replace(self, home=home)

    def program(
        self, file: str, workdir: Path, extra_env: Mapping[str, str] | None = None, arguments: Sequence[str] = ()
    ) -> Launch:
        """Return `python3 file arguments...`, run in `workdir`, to which the name `file` is relative."""
        return Launch((str(self.executable), file, *arguments), workdir, self.environment(workdir, extra_env or {}))

    def prompt(self, workdir: Path, extra_env: Mapping[str, str] | None = None) -> Launch:
        """Return `python3 -q`: the interactive prompt, in `workdir`, without the banner and without readline."""
        plain = {
            "PYTHONSTARTUP": str(self.home / _PROMPT / "startup.py"),
            "PYTHONPATH": str(self.home / _PROMPT),
        }
        environment = self.environment(workdir, {**(extra_env or {}), **plain})
        return Launch((str(self.executable), "-q"), workdir, environment)

    def command(self, argv: Sequence[str], workdir: Path, extra_env: Mapping[str, str] | None = None) -> Launch:
        """Return a command run in `workdir`: a file there, such as `./game`, or else this Python or what is installed.

        Raises SessionError if there is no such program.
        """
        name = argv[0]
        found: str | None
        if "/" in name:
            found = os.path.normpath(workdir / name)
        elif name in ("python", "python3"):
            found = str(self.executable)
        else:
            found = shutil.which(name, path=_SYSTEM_PATH)
        if found is None:
            raise SessionError(f"there is no program {name!r} in {_SYSTEM_PATH}; it must be installed")
        return Launch((found, *argv[1:]), workdir, self.environment(workdir, extra_env or {}))

    def environment(self, workdir: Path, extra: Mapping[str, str]) -> dict[str, str]:
        """Return all variables of a program that runs in `workdir`."""
        return {
            "PATH": f"{self.executable.parent}:{_SYSTEM_PATH}",
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


def student_environment(folder: Path) -> Interpreter:
    """Make a clean environment, below `folder`, of the Python version that runs the grader.

    Raises SessionError if that fails.
    """
    environment = _environment_folder(folder, _VERSION)
    try:
        venv.EnvBuilder(symlinks=os.name != "nt").create(environment)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise SessionError(f"no environment can be made of {sys.executable!r}: {error}") from error
    return _with_prompt(environment, _VERSION, Path(sys.base_prefix))


def interpreter_at(python: Path, folder: Path) -> Interpreter:
    """Make a clean environment, below `folder`, of another Python: a path, or a name to be found on PATH.

    Scripts of version managers and virtual environments are followed to the installation behind them. Raises
    SessionError if there is no such Python or it cannot make an environment.
    """
    base, version, installation = _identify_python(python)
    environment = _environment_folder(folder, version)
    _run_command([base, "-I", "-m", "venv", "--without-pip", str(environment)])
    return _with_prompt(environment, version, Path(installation))


def _environment_folder(folder: Path, version: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return Path(tempfile.mkdtemp(prefix=f"python-{version}-", dir=folder)).resolve()


def _with_prompt(environment: Path, version: str, installation: Path) -> Interpreter:
    environment.chmod(0o755)
    prompt_folder = environment / _PROMPT
    prompt_folder.mkdir()
    (prompt_folder / "startup.py").write_text(_PROMPT_STARTUP, encoding="utf-8")
    (prompt_folder / "readline.py").write_text(_NO_READLINE, encoding="utf-8")
    return Interpreter(environment, version, installation)


def _identify_python(python: Path) -> tuple[str, str, str]:
    """Return the real executable behind `python`, its version and the folder it is installed in."""
    found = shutil.which(python)
    if found is None:
        raise SessionError(f"there is no Python interpreter {str(python)!r}")
    try:
        base, version, installation = json.loads(_run_command([found, "-I", "-c", _IDENTIFY]))
    except ValueError as error:
        raise SessionError(f"{found!r} is not a Python interpreter") from error
    return str(base), str(version), str(installation)


def _run_command(command: list[str]) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    try:
        completed = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True, timeout=_SECONDS_TO_ANSWER
        )
    except subprocess.CalledProcessError as error:
        raise SessionError(f"{command[0]!r} failed: {(error.stderr or error.stdout).strip()}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SessionError(f"{command[0]!r} cannot be run: {error}") from error
    return completed.stdout
