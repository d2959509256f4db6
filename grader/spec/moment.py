"""Local times as moments."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo


def latest_moment(local: datetime, zone: ZoneInfo) -> datetime:
    """The moment that people of `zone` call `local`, with its zone; the later one when the clock says more than one.

    When clocks go back an hour is repeated: its second pass is meant. When they go forward an hour is skipped: a time
    in it is read as if the clock had not been changed yet, so 2:30 is 3:30.
    """
    moments = (local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    return max(moments).astimezone(zone)
