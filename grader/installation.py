"""The installation of this program: its documents, its distribution, and the command to add an extra."""

import json
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

DISTRIBUTION = "terminal-grader"
"""The name on package indexes, as in pyproject.toml; the module and the command are called `grader`."""
METADATA_NAME = DISTRIBUTION.replace("-", "_")
"""The distribution's name in metadata folders."""


def documents_folder() -> Path:
    """Return the folder with the documents, which is next to the package in a checkout, even an editable one."""
    package = Path(__file__).parent
    return package / "docs" if (package / "docs").is_dir() else package.parent / "docs"


def install_command(extra: str) -> str:
    """Return the shell command that adds an extra to this installation with pip, pipx or uv."""
    origin = _origin()
    if origin.get("dir_info", {}).get("editable"):
        folder = unquote(urlsplit(origin["url"]).path)
        return f"{_installer()} --editable {shlex.quote(f'{folder}[{extra}]')}"
    source = f" @ {_address(origin)}" if origin else ""
    return f"{_installer()} {shlex.quote(f'{DISTRIBUTION}[{extra}]{source}')}"


def _installer() -> str:
    """Return the beginning of a command that installs a requirement into this environment."""
    environment = Path(sys.prefix)
    if (environment / "pipx_metadata.json").exists():
        return "pipx install --force"
    if (environment / "uv-receipt.toml").exists():
        return "uv tool install"
    if "archive-v0" in environment.parts:
        # `uvx` creates a temporary environment in uv's cache.
        return "uvx --from"
    python = shlex.quote(sys.executable)
    return f"{python} -m pip install" if find_spec("pip") else f"uv pip install --python {python}"


def _origin() -> dict[str, Any]:
    """Return where this program was installed from, as recorded by PEP 610; empty for a package index."""
    from importlib import metadata

    # A checkout may have its own metadata without a record, in addition to the metadata in the environment.
    origins = (copy.read_text("direct_url.json") for copy in metadata.distributions(name=DISTRIBUTION))
    return dict(json.loads(next(filter(None, origins), "{}")))


def _address(origin: dict[str, Any]) -> str:
    repository = origin.get("vcs_info")
    return f"{repository['vcs']}+{origin['url']}@{repository['commit_id']}" if repository else str(origin["url"])
