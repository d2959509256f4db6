"""The packages of docs/plugins.md, installed beside the grader with pip."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from grader.extensions import installed_extensions
from tests import ROOT
from tests.conftest import SmallCourse

DOCUMENT = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
FILE = re.compile(r"^```\w+ file=(?P<name>\S+)\n(?P<content>.*?)^```$", re.M | re.S)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the package of the document into a folder of its own."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("installed")
    for file in FILE.finditer(DOCUMENT):
        (source / file["name"]).write_text(file["content"])
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "-qq"]
    # The tools that build it are those of this environment, so that no network is needed.
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", "--target", target, source], check=True)
    return target


@pytest.mark.slow
def test_the_command_of_the_document(installed: Path, small_course: SmallCourse) -> None:
    texts = small_course.reports / "students"
    texts.mkdir(parents=True)
    (texts / "ann.txt").write_text("Well done.")
    (texts / "ben.txt").write_text("Not yet: see below.")
    command = [sys.executable, "-m", "grader", "longest"]
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    runs = [
        subprocess.run([*command, folder], env=environment, capture_output=True, text=True, check=False)
        for folder in (small_course.reports, small_course.students)
    ]
    assert [(run.returncode, run.stdout) for run in runs] == [(0, "ben\n"), (2, "")]


def test_the_document_lists_the_groups_of_our_own_plugins() -> None:
    assert {extension.group for extension in installed_extensions() if extension.distribution == "grader"} <= set(
        re.findall(r"^\| `(grader\.\w+)` \|", DOCUMENT, re.M)
    )
