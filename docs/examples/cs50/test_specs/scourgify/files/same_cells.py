"""Compares the cells of a CSV file, quoted or not, with those that `names.csv` asks for."""

import csv
import sys

ROWS = [
    ["first", "last", "house"],
    ["Guido", "van Rossum", "East"],
    ["Marie", "Curie", "West"],
    ["Carl Friedrich", "Gauss", "East"],
    ["Johann Sebastian", "Bach", "South"],
    ["Emmy", "Noether", "Old house, upper floor"],
]

with open(sys.argv[1], newline="") as file:
    rows = list(csv.reader(file))
for number, (row, wanted) in enumerate(zip(rows, ROWS), start=1):
    if row != wanted:
        sys.exit(f"Row {number} of {sys.argv[1]} has the cells {row}, and not {wanted}.")
if len(rows) != len(ROWS):
    sys.exit(f"{sys.argv[1]} has {len(rows)} rows, and not {len(ROWS)}.")
