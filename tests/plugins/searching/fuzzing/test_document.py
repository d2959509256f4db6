"""docs/fuzz.md does what it says, and documents fuzz.yaml."""

from pathlib import Path

import pytest

from grader.plugins.searching.fuzzing.fuzz_file import FuzzFile
from tests import ROOT
from tests.docs.file_keys import check_plugin_file
from tests.docs.running import copy_parts, run_document

DOCUMENT = ROOT / "docs" / "fuzz.md"


@pytest.mark.slow
def test_the_commands_of_the_document(tmp_path: Path) -> None:
    copy_parts(tmp_path, "checkers", "reference", "test_specs", "submissions")
    assert run_document(DOCUMENT, tmp_path)


def test_its_file_is_documented_and_has_a_schema(tmp_path: Path) -> None:
    check_plugin_file(DOCUMENT, "fuzz", FuzzFile, tmp_path)
