"""What a killed program left in the folder for temporary files, the next one removes; what is held stays."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.files.scratch import scratch_folder

KILLED = """
import os, signal
from pathlib import Path
from grader.files.scratch import scratch_folder

with scratch_folder("grader-intake-") as name:
    (Path(name) / "deep").mkdir()
    (Path(name) / "deep" / "g.py").write_text("print()")
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    return tmp_path


def test_what_a_killed_program_left_is_removed_and_nothing_else(temporary: Path) -> None:
    (temporary / "grader-intake-other").mkdir()
    (temporary / "grader-intake-other" / "g.py").touch()
    (temporary / "elsewhere").mkdir()
    (temporary / "elsewhere" / "g.py").touch()
    (temporary / "grader-intake-link.held").symlink_to(temporary / "elsewhere")
    with scratch_folder("grader-intake-") as held:
        (Path(held) / "mine").touch()
        subprocess.run([sys.executable, "-c", KILLED], check=False)
        assert len(list(temporary.glob("*.held/deep"))) == 1
        with scratch_folder("grader-intake-") as second:
            assert not list(temporary.glob("*.held/deep"))
            assert os.listdir(held) == ["mine"]
            assert os.listdir(second) == []
    kept = {"grader-intake-other", "grader-intake-link.held", "elsewhere"}
    assert set(os.listdir(temporary)) == kept
    assert (temporary / "elsewhere" / "g.py").exists()
