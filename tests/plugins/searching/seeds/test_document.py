"""The page of seeds.yaml has its keys, and its schema is the one that editors get."""

from pathlib import Path

from grader.plugins.searching.seeds.search_file import SeedsFile
from tests import ROOT
from tests.docs.file_keys import check_plugin_file

DOCUMENT = ROOT / "docs" / "reference" / "files" / "seeds.md"


def test_its_file_is_documented_and_has_a_schema(tmp_path: Path) -> None:
    check_plugin_file(DOCUMENT, "seeds", SeedsFile, tmp_path)
