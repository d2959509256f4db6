from collections.abc import Sequence
from pathlib import Path

import pytest

from grader.plugins.web.pages.site import share_out


@pytest.mark.parametrize("processes", [1, 2, 9])
def test_every_item_is_worked_on_once(processes: int, tmp_path: Path) -> None:
    def work(items: Sequence[int]) -> None:
        for item in items:
            with (tmp_path / str(item)).open("x") as file:
                file.write("done")

    share_out(work, range(5), processes)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["0", "1", "2", "3", "4"]


@pytest.mark.parametrize("processes", [1, 2])
def test_a_failure_to_write_is_told(processes: int) -> None:
    def work(items: Sequence[int]) -> None:
        raise OSError(f"no space for {items[0]}")

    with pytest.raises(OSError, match="no space for 0"):
        share_out(work, [0, 0], processes)


def test_another_failure_is_not_passed_over(capfd: pytest.CaptureFixture[str]) -> None:
    def work(items: Sequence[int]) -> None:
        raise ValueError(items)

    with pytest.raises(RuntimeError):
        share_out(work, [0, 0], 2)
    assert "ValueError" in capfd.readouterr().err
