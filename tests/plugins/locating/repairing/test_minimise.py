"""Only the items that are needed together are kept."""

from collections.abc import Sequence

import pytest

from grader.plugins.locating.repairing.minimise import minimised


@pytest.mark.parametrize("needed", [{0}, {6}, {1, 5}, {0, 3, 6}, set(range(7))])
def test_nothing_that_is_not_needed_is_kept(needed: set[int]) -> None:
    def first_that_works(parts: Sequence[Sequence[int]]) -> int | None:
        return next((place for place, part in enumerate(parts) if needed <= set(part)), None)

    assert set(minimised(range(7), first_that_works)) == needed
