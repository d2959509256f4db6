"""What the command line says when grader itself is at fault."""

import pytest

from grader.cli import main as command_line


def test_a_fault_of_grader_is_not_blamed_on_the_program(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(**_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(command_line, "app", fail)
    with pytest.raises(SystemExit) as end:
        command_line.main()
    assert end.value.code == 2
    said = capsys.readouterr().err
    assert "ZeroDivisionError" in said
    assert said.endswith("This is a fault in grader, not in the graded program; please report it.\n")
