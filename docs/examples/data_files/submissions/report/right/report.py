import csv
import json
from collections import Counter
from pathlib import Path
from sys import exit, stderr

sums = Counter()
status = 0
with open("sales.csv", newline="") as source:
    rows = csv.reader(source)
    next(rows)
    for town, amount in rows:
        try:
            sums[town] += float(amount)
        except ValueError:
            stderr.write(f"{rows.line_num}: {amount}\n")
            status = 1
Path("totals.json").write_text(json.dumps(dict(sorted(sums.items())), indent=2) + "\n")
for town, amount in sorted(sums.items()):
    print(f"{town}: {amount:.2f}")
exit(status)
