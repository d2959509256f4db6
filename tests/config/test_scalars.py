"""Local times around a change of the clock."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from grader.config.scalars import latest_moment

VIENNA = ZoneInfo("Europe/Vienna")


@pytest.mark.parametrize(
    ("local", "moment", "shown"),
    [
        ("2026-03-20 17:00", "2026-03-20T16:00+00:00", "17:00 CET"),
        ("2026-07-20 17:00", "2026-07-20T15:00+00:00", "17:00 CEST"),
        # The hour from 2:00 to 3:00 is there twice on 2026-10-25: who is told 2:30 may take the second one.
        ("2026-10-25 02:30", "2026-10-25T01:30+00:00", "02:30 CET"),
        # It is not there at all on 2026-03-29.
        ("2026-03-29 02:30", "2026-03-29T01:30+00:00", "03:30 CEST"),
    ],
)
def test_the_later_moment_is_meant(local: str, moment: str, shown: str) -> None:
    found = latest_moment(datetime.fromisoformat(local), VIENNA)
    assert found.astimezone(UTC) == datetime.fromisoformat(moment)
    assert f"{found:%H:%M %Z}" == shown
    assert found.tzinfo is VIENNA
