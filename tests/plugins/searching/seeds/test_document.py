"""docs/seeds.md does what it says, and documents seeds.yaml."""

from pathlib import Path

import pytest

from grader.plugins.searching.seeds.search_file import SeedsFile
from tests import ROOT
from tests.docs.file_keys import check_plugin_file
from tests.docs.running import copy_parts, run_document

DOCUMENT = ROOT / "docs" / "seeds.md"


@pytest.mark.slow
def test_the_commands_of_the_document(tmp_path: Path) -> None:
    copy_parts(tmp_path, "reference", "test_specs")
    assert len(run_document(DOCUMENT, tmp_path)) == 3


def test_its_file_is_documented_and_has_a_schema(tmp_path: Path) -> None:
    check_plugin_file(DOCUMENT, "seeds", SeedsFile, tmp_path)
