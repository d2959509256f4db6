"""docs/reference/imports.md does what it says."""

from pathlib import Path

import pytest

from tests import ROOT
from tests.docs.running import csv_rows, run_document
from tests.sandbox import needs_sandbox


@pytest.mark.slow
@needs_sandbox
def test_what_is_imported(tmp_path: Path) -> None:
    assert len(run_document(ROOT / "docs" / "reference" / "imports.md", tmp_path)) == 20
    marks = {row["student"]: row["points"] for row in csv_rows(tmp_path / "reports" / "double" / "results.csv")}
    assert marks == {"accepted-solution": "5"}
    marks = {row["student"]: row["points"] for row in csv_rows(tmp_path / "reports" / "hello" / "results.csv")}
    assert marks == {"accepted-solution": "2"}
    marks = {row["student"]: row["points"] for row in csv_rows(tmp_path / "reports" / "bank" / "results.csv")}
    assert marks == {"accepted-solution": "3"}
    marks = {row["student"]: row["points"] for row in csv_rows(tmp_path / "reports" / "guess" / "results.csv")}
    assert marks == {"accepted-solution": "1"}
    marks = {row["student"]: row["points"] for row in csv_rows(tmp_path / "reports" / "sum" / "results.csv")}
    assert marks == {"accepted-sum.py": "1", "wrong_answer-digits.py": "0"}
    marks = {row["student"]: row["points"] for row in csv_rows(tmp_path / "reports" / "greet" / "results.csv")}
    assert marks == {"correct-correct.py": "3", "wrong-wrong.py": "0"}
    assert not list((tmp_path / "test_specs" / "count" / "expected").glob("*"))
