from datetime import date

import seasons

DAY = 24 * 60


def test_minutes():
    assert seasons.minutes(date(2000, 2, 28), date(2000, 3, 1)) == 2 * DAY
    assert seasons.minutes(date(1999, 2, 28), date(1999, 3, 1)) == DAY
    assert seasons.minutes(date(1996, 12, 31), date(1999, 12, 31)) == 3 * 365 * DAY
    assert seasons.minutes(date(1995, 12, 31), date(1999, 12, 31)) == (4 * 365 + 1) * DAY
