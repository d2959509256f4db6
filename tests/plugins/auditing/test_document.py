"""The page of audit.yaml has its keys, and its schema is the one that editors get."""

from pathlib import Path

from grader.plugins.auditing.audit_file import AuditFile
from tests import ROOT
from tests.docs.file_keys import check_plugin_file

DOCUMENT = ROOT / "docs" / "reference" / "files" / "audit.md"


def test_its_file_is_documented_and_has_a_schema(tmp_path: Path) -> None:
    check_plugin_file(DOCUMENT, "audit", AuditFile, tmp_path)
