"""The section of the instructor's guide on lateness and regrading, on the course of the tutorial."""

import shlex
import subprocess
import sys
from pathlib import Path

from tests.docs.test_documents import BLOCK, ROOT, run_document


def test_the_commands_on_lateness_and_regrading(tmp_path: Path) -> None:
    tutorial = (ROOT / "docs" / "tutorial-instructor.md").read_text()
    files = [
        block[0] for block in BLOCK.finditer(tutorial) if "file=" in block["info"] and "extensions" not in block[0]
    ]
    _, _, section = (ROOT / "docs" / "instructor-guide.md").read_text().partition("## Lateness and regrading\n")
    section, _, _ = section.partition("\n## ")
    document = tmp_path / "section.md"
    document.write_text("\n".join(files) + "\n```sh\ngrader generate\n```\n" + section)
    commands = run_document(document, tmp_path)
    assert len(commands) == 5
    shown = next(block["body"] for block in BLOCK.finditer(section) if block["info"] == "text")
    compared = next(command for command in commands if command.startswith("grader compare"))
    command = [sys.executable, "-m", "grader", *shlex.split(compared, comments=True)[1:]]
    assert shown == subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
