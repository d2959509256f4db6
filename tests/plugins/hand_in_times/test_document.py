"""docs/times.md does what it says, and documents times.yaml."""

from pathlib import Path

import pytest

from grader.plugins.hand_in_times.time_file import TimesFile
from tests import ROOT
from tests.docs.file_keys import check_plugin_file
from tests.docs.running import copy_parts, csv_rows, run_document

DOCUMENT = ROOT / "docs" / "times.md"


@pytest.mark.slow
def test_the_commands_of_the_document(tmp_path: Path) -> None:
    copy_parts(tmp_path, "reference", "test_specs", "submissions/cse231-lab10a")
    assert len(run_document(DOCUMENT, tmp_path)) == 1
    rows = {row["student"]: row for row in csv_rows(tmp_path / "reports" / "cse231-lab10a" / "results.csv")}
    assert rows["right-framework"]["submitted"].startswith("2025-10-27T11:58:00")


def test_its_file_is_documented_and_has_a_schema(tmp_path: Path) -> None:
    check_plugin_file(DOCUMENT, "times", TimesFile, tmp_path)
