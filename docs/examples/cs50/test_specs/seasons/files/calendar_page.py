"""Says which day it is, for tests: `tear_off("2000-01-01")` makes this day today for the program."""

import sys
from datetime import date


def tear_off(day):
    year, month, number = map(int, day.split("-"))

    class Fixed(date):
        @classmethod
        def today(cls):
            return date(year, month, number)

    program = sys.modules["seasons"]
    if hasattr(program, "date"):
        program.date = Fixed
    if hasattr(getattr(program, "datetime", None), "date") and program.datetime.__name__ == "datetime":
        try:
            program.datetime.date = Fixed
        except TypeError:
            pass
