"""The page for IT departments: its commands, the modules that may reach a network, and the licences."""

import ast
import re
import tomllib
from importlib.metadata import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from grader.installation import DISTRIBUTION
from tests import ROOT
from tests.docs.running import copy_parts, run_document

PAGE = ROOT / "docs" / "reference" / "data.md"
NETWORK = {"asyncio", "distributed", "ftplib", "http", "httpx", "psycopg", "requests", "smtplib", "socket", "uvicorn"}
REACHING = {
    *(f"grader/plugins/{plugin}" for plugin in ("cluster", "platforms/canvas", "postgres", "web/serve")),
    # They speak to the server of the sandbox, or name kinds of sockets.
    *(f"grader/run/sandbox/{name}.py" for name in ("sandbox", "sandboxes", "starting", "system_call_filter")),
    "grader/plugins/native",
}
"""Modules, and plugins as a whole."""


@pytest.mark.slow
def test_the_commands_delete_a_student(tmp_path: Path) -> None:
    copy_parts(tmp_path, "reference", "test_specs/cse231-lab10a", "submissions/cse231-lab10a")
    assert len(run_document(PAGE, tmp_path)) == 3
    assert "other-seed" not in (tmp_path / "reports" / "cse231-lab10a" / "results.csv").read_text()
    assert "right-functions" in (tmp_path / "reports" / "cse231-lab10a" / "results.csv").read_text()


@pytest.mark.slow
def test_only_what_the_page_names_reaches_a_network() -> None:
    reaching = {
        str(file.parent if "plugins" in file.parts else file)
        for file in (path.relative_to(ROOT) for path in (ROOT / "grader").rglob("*.py"))
        if file.parent.name != "server" and imported(ROOT / file) & NETWORK
    }
    assert reaching == REACHING


def imported(file: Path) -> set[str]:
    """Return the first part of each module that is imported; of urllib, only what opens addresses counts."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return {"http" if name == "urllib.request" else name.partition(".")[0] for name in names}


def test_the_licences_are_those_that_the_packages_state() -> None:
    assert PAGE.read_text().endswith(licence_table())


def test_the_page_is_short() -> None:
    prose = re.sub(r"^(\|.*|```.*)$", "", PAGE.read_text(), flags=re.M)
    assert len(prose.split()) <= 900


def licence_table() -> str:
    """Return the table of what pyproject.toml declares."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    used_for: dict[str, list[str]] = {}
    for what, requirements in {"always": project["dependencies"], **project["optional-dependencies"]}.items():
        for requirement in map(Requirement, requirements):
            if requirement.name != DISTRIBUTION:
                used_for.setdefault(requirement.name, []).append(what)
    rows = (f"| {name} | {', '.join(used_for[name])} | {_licence(name)} |" for name in sorted(used_for, key=str.lower))
    return "\n".join(["| package | for | licence |", "| --- | --- | --- |", *rows, ""])


def _licence(package: str) -> str:
    """Return the licence in the metadata: an expression, a line, or what the classifiers say."""
    about = metadata(package)
    [line] = about.get_all("License") or [""]
    [expression] = about.get_all("License-Expression") or [""]
    classifiers = [entry.rpartition(" :: ")[2] for entry in about.get_all("Classifier", []) if "License ::" in entry]
    stated = expression or ("" if "\n" in line else line) or ", ".join(classifiers)
    return stated or "none stated"
