"""docs/similar.md does what it says."""

from pathlib import Path

import pytest

from tests import ROOT
from tests.docs.running import copy_parts, run_document


@pytest.mark.slow
def test_the_commands_of_the_document(tmp_path: Path) -> None:
    copy_parts(tmp_path, "checkers", "reference", "test_specs", "submissions")
    assert len(run_document(ROOT / "docs" / "similar.md", tmp_path)) == 1
