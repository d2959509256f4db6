"""The page of fuzz.yaml has its keys, and its schema is the one that editors get."""

from pathlib import Path

from grader.plugins.searching.fuzzing.fuzz_file import FuzzFile
from tests import ROOT
from tests.docs.file_keys import check_plugin_file

DOCUMENT = ROOT / "docs" / "reference" / "files" / "fuzz.md"


def test_its_file_is_documented_and_has_a_schema(tmp_path: Path) -> None:
    check_plugin_file(DOCUMENT, "fuzz", FuzzFile, tmp_path)
