"""docs/teams.md does what it says, and documents teams.yaml."""

from pathlib import Path

import pytest

from grader.plugins.teams.team_file import TeamsFile
from tests import ROOT
from tests.docs.file_keys import check_plugin_file
from tests.docs.running import copy_parts, csv_rows, run_document

DOCUMENT = ROOT / "docs" / "teams.md"


@pytest.mark.slow
def test_the_commands_of_the_document(tmp_path: Path) -> None:
    copy_parts(tmp_path, "reference", "test_specs", "submissions/cse231-lab10a")
    assert len(run_document(DOCUMENT, tmp_path)) == 1
    rows = {row["student"]: row for row in csv_rows(tmp_path / "reports" / "cse231-lab10a" / "results.csv")}
    blue = [rows[name] for name in ("right-framework", "right-functions")]
    assert {row["roster_team"] for row in blue} == {"blue"}
    assert blue[0]["mark"] == blue[1]["mark"]


def test_its_file_is_documented_and_has_a_schema(tmp_path: Path) -> None:
    check_plugin_file(DOCUMENT, "teams", TeamsFile, tmp_path)
