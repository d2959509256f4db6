"""The table of changes names files that are there."""

import re

from tests import ROOT
from tests.contributing.recipes import GUIDE


def test_the_files_of_the_table_are_there() -> None:
    table = GUIDE.read_text(encoding="utf-8").partition("## Ten changes and the files they touch")[2]
    rows = [line for line in table.splitlines() if line.startswith(("| a", "| other"))]
    paths = [path for row in rows for path in re.findall(r"`([\w/]+/[\w/]+\.py)`", row)]
    assert len(paths) >= 10
    assert [path for path in paths if not (ROOT / "grader" / path).is_file()] == []
