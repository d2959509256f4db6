"""docs/serve.md does what it says."""

import shutil
from pathlib import Path

import pytest

from tests import ROOT
from tests.docs.running import run_document


@pytest.mark.slow
def test_the_class_of_the_document_is_served(tmp_path: Path) -> None:
    for part in ("reference", "test_specs/cse231-lab10a", "submissions/cse231-lab10a"):
        shutil.copytree(ROOT / part, tmp_path / part)
    assert run_document(ROOT / "docs" / "serve.md", tmp_path) == [
        "grader serve submissions/cse231-lab10a   # ends with Ctrl-C"
    ]
