"""docs/serve.md does what it says."""

from pathlib import Path

import pytest

from tests import ROOT
from tests.docs.running import copy_parts, run_document


@pytest.mark.slow
def test_the_class_of_the_document_is_served(tmp_path: Path) -> None:
    copy_parts(tmp_path, "reference", "test_specs/cse231-lab10a", "submissions/cse231-lab10a")
    assert run_document(ROOT / "docs" / "serve.md", tmp_path) == [
        "grader serve submissions/cse231-lab10a   # ends with Ctrl-C",
        "grader serve submissions/cse231-lab10a --socket marks.sock --user-header X-Remote-User   # ends with Ctrl-C",
    ]
