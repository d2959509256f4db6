"""Every installation command in documents and messages names our distribution and extras that exist."""

import re
import tomllib
from pathlib import Path

import pytest

from grader import installation
from grader.installation import DISTRIBUTION, install_command
from tests import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TEXTS = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").rglob("*.md"),
    *(ROOT / "grader").rglob("*.py"),
    *(ROOT / "benchmarks").glob("*.py"),
    *(ROOT / "benchmarks").glob("*.md"),
    *(ROOT / "tools").rglob("*.py"),
]
COMMAND = re.compile(
    r"\b(?:(?:pip|pipx|uv tool|uv pip) (?:install|upgrade|uninstall)|uvx --from)((?: +--?[\w-]+)* +)"
    r"'?([\w.-]+)(?:\[([\w,-]+)\])?"
)


def test_the_constant_is_the_name_of_the_project() -> None:
    assert PROJECT["name"] == DISTRIBUTION


def test_every_extra_is_in_all_but_those_of_this_project() -> None:
    (everything,) = PROJECT["optional-dependencies"]["all"]
    extras = set(everything.removeprefix(f"{DISTRIBUTION}[").removesuffix("]").split(","))
    assert {*PROJECT["optional-dependencies"]} - extras == {"all", "benchmarks", "docs", "release", "test"}


def test_texts_install_nothing_else_under_our_name() -> None:
    commands = 0
    for file in TEXTS:
        for _, name, extras in COMMAND.findall(file.read_text(encoding="utf-8", errors="replace")):
            assert name != "grader", file
            commands += name == DISTRIBUTION
            if name == DISTRIBUTION and extras:
                assert {*extras.split(",")} <= {*PROJECT["optional-dependencies"]}, (file, extras)
    assert commands >= 10


def test_each_extra_that_a_message_names_is_there() -> None:
    named = {
        extra
        for file in (ROOT / "grader").rglob("*.py")
        for extra in re.findall(r"install_command\(['\"](\w+)['\"]\)", file.read_text(encoding="utf-8"))
    }
    assert len(named) >= 8
    assert named <= {*PROJECT["optional-dependencies"]}


WHEEL = {"url": "file:///tmp/terminal_grader-1.0.0-py3-none-any.whl", "archive_info": {}}
CLONE = {"url": "file:///home/ada/my%20grader", "dir_info": {"editable": True}}
REPOSITORY = {"url": "https://example.org/grader", "vcs_info": {"vcs": "git", "commit_id": "0a1b2c"}}


@pytest.mark.parametrize(
    ("marker", "origin", "command"),
    [
        ("pipx_metadata.json", {}, "pipx install --force 'terminal-grader[serve]'"),
        ("uv-receipt.toml", {}, "uv tool install 'terminal-grader[serve]'"),
        ("uv-receipt.toml", WHEEL, f"uv tool install 'terminal-grader[serve] @ {WHEEL['url']}'"),
        ("pyvenv.cfg", {}, "/env/python -m pip install 'terminal-grader[serve]'"),
        ("pyvenv.cfg", CLONE, "/env/python -m pip install --editable '/home/ada/my grader[serve]'"),
        (
            "pyvenv.cfg",
            REPOSITORY,
            "/env/python -m pip install 'terminal-grader[serve] @ git+https://example.org/grader@0a1b2c'",
        ),
    ],
)
def test_the_command_fits_the_way_it_was_installed(
    marker: str, origin: dict[str, object], command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / marker).touch()
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    monkeypatch.setattr("sys.executable", "/env/python")
    monkeypatch.setattr(installation, "_origin", lambda: origin)
    monkeypatch.setattr(installation, "find_spec", lambda _name: object())
    assert install_command("serve") == command


def test_the_command_in_an_environment_of_uvx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.prefix", str(tmp_path / "archive-v0" / "jwkzyzhphogm6rVR"))
    monkeypatch.setattr(installation, "_origin", dict)
    assert install_command("serve") == "uvx --from 'terminal-grader[serve]'"
