"""Says which day it is, for tests: `tear_off("2000-01-01")` makes this day today for the program."""

import datetime
import sys
from datetime import date


def tear_off(day):
    year, month, number = map(int, day.split("-"))

    class Fixed(date):
        @classmethod
        def today(cls):
            return date(year, month, number)

    datetime.date = Fixed
    program = vars(sys.modules["seasons"])
    program.update({name: Fixed for name, value in program.items() if value is date})
