import csv
import json
import sys


def main():
    totals, bad = {}, 0
    with open("sales.csv", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), start=2):
            try:
                amount = float(row["amount"])
            except ValueError:
                bad += 1
                print(f"line {number}: {row['amount']!r} is no amount", file=sys.stderr)
                continue
            totals[row["town"]] = totals.get(row["town"], 0) + amount
    with open("totals.json", "w") as file:
        json.dump(totals, file, sort_keys=True, indent=2)
    for town in sorted(totals):
        print(f"{town}: {totals[town]:.2f}")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
