"""Installs an assignment's packages once in the user's cache folder.

grader/packages/DIGEST.lock                  locked while the folder with that name is created
grader/packages/DIGEST.new-*/                an incomplete installation; killed graders' ones are removed
grader/packages/DIGEST/site-packages/        the packages, as an interpreter finds them
grader/packages/DIGEST/packages.json         the names and versions of the packages, as `name==version`

The digest covers the interpreter and the request. pip uses its own settings, so PIP_INDEX_URL, PIP_FIND_LINKS,
PIP_NO_INDEX and pip.conf apply here too.
"""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from grader.errors import SessionError, reported_as
from grader.files.digest import digest
from grader.files.user_cache import user_cache
from grader.run.copied_files import let_everyone_read
from grader.run.find_python import InstalledPackages, StudentPython, executable_identity, run_command

_SITE = "site-packages"
_CONTENT = "packages.json"
_SECONDS_TO_INSTALL = 1800
_OF_OURS = {"PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0"}
"""Settings that conflict with a separate target folder."""


class PackagesError(SessionError):
    """The packages cannot be installed."""


def installed_packages(python: StudentPython, requirements: Sequence[str]) -> InstalledPackages | None:
    """Return the packages if they are already installed. Raises PackagesError if the cache folder does not exist."""
    return _installed(_folder(python, requirements))


def install_packages(python: StudentPython, requirements: Sequence[str]) -> InstalledPackages:
    """Install the packages, or return those of an earlier installation.

    Several graders can do this at the same time: one installs and the others wait. Raises PackagesError.
    """
    folder = _folder(python, requirements)
    installed = _installed(folder)
    if installed is not None:
        return installed
    lock = folder.with_name(f"{folder.name}.lock")
    with reported_as(PackagesError, f"they cannot be put in {folder}"), _locked(lock):
        installed = _installed(folder)
        return installed or _make(python, requirements, folder)


def _folder(python: StudentPython, requirements: Sequence[str]) -> Path:
    identity = (executable_identity(python.executable), python.version, sorted(requirements))
    try:
        return user_cache() / "packages" / digest(identity)[:32]
    except RuntimeError as error:
        raise PackagesError(f"there is no cache folder for them ({error}); name one in XDG_CACHE_HOME") from error


def _installed(folder: Path) -> InstalledPackages | None:
    try:
        versions = json.loads((folder / _CONTENT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return InstalledPackages((folder / _SITE).resolve(), tuple(versions))


def _make(python: StudentPython, requirements: Sequence[str], folder: Path) -> InstalledPackages:
    # Checking a program without packages should start at once.
    from importlib.metadata import distributions

    for leftover in folder.parent.glob(f"{folder.name}.new-*"):
        shutil.rmtree(leftover, ignore_errors=True)
    # If another grader was killed, its pip may still be running.
    new = Path(tempfile.mkdtemp(prefix=f"{folder.name}.new-", dir=folder.parent))
    try:
        site = new / _SITE
        _install(_pip(python, new / "pip"), requirements, site)
        shutil.rmtree(new / "pip", ignore_errors=True)
        versions = sorted(
            {f"{package.name}=={package.version}" for package in distributions(path=[str(site)])}, key=str.casefold
        )
        (new / _CONTENT).write_text(json.dumps(versions), encoding="utf-8")
        let_everyone_read(new)
        shutil.rmtree(folder, ignore_errors=True)
        new.rename(folder)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    return InstalledPackages((folder / _SITE).resolve(), tuple(versions))


def _pip(python: StudentPython, folder: Path) -> list[str]:
    """Return the command that runs this Python's pip, or else the copy bundled with Python, unpacked in `folder`."""
    own_pip = [str(python.executable), "-I", "-m", "pip"]
    try:
        run_command([*own_pip, "--version"])
    except SessionError:
        try:
            run_command([str(python.executable), "-I", "-m", "venv", str(folder)])
        except SessionError as error:
            fault = f"Python {python.version} has no pip and cannot make one (on Debian: apt-get install python3-venv)"
            raise PackagesError(f"{fault}: {error}") from error
        return [str(folder / "bin" / "python3"), "-I", "-m", "pip"]
    return own_pip


def _install(pip: Sequence[str], requirements: Sequence[str], site: Path) -> None:
    """Install the packages to `site`. Raises PackagesError with pip's error message."""
    options = ("--quiet", "--no-input", "--disable-pip-version-check", "--target", str(site))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    try:
        done = subprocess.run(
            [*pip, "install", *options, "--", *requirements],
            env={**environment, **_OF_OURS},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=_SECONDS_TO_INSTALL,
        )
    except subprocess.TimeoutExpired:
        raise PackagesError(f"pip was still at it after {_SECONDS_TO_INSTALL} seconds") from None
    if done.returncode:
        raise PackagesError(f"pip says: {_reason(done.stderr)}")


def _reason(output: str) -> str:
    """Return pip's error messages, without its warnings."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return "; ".join(dict.fromkeys(errors)) or (lines[-1] if lines else "nothing")


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    """Hold a lock, which is released even if the process is killed."""
    # Packages are only installed on systems with terminals.
    import fcntl

    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield
