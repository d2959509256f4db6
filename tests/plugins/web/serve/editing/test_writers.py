"""Files that other programs are writing are recognised."""

from pathlib import Path

import pytest

from grader.plugins.web.serve.editing.writers import is_being_written


@pytest.mark.parametrize("mode", ["r+b", "ab", "wb"])
def test_a_file_is_being_written_while_a_program_has_it_open(mode: str, tmp_path: Path) -> None:
    file = tmp_path / "marks.yaml"
    assert not is_being_written(file)
    file.write_bytes(b"one")
    with file.open(mode):
        assert is_being_written(file)
    assert not is_being_written(file)
