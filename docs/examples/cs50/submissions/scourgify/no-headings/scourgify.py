import csv
import sys


def main():
    if len(sys.argv) != 3:
        sys.exit("Give the names of two files.")
    try:
        with open(sys.argv[1], newline="") as before:
            rows = list(csv.DictReader(before))
    except FileNotFoundError:
        sys.exit(f"Could not read {sys.argv[1]}")
    with open(sys.argv[2], "w", newline="") as after:
        writer = csv.DictWriter(after, ["first", "last", "house"])
        for row in rows:
            last, first = row["name"].split(", ")
            writer.writerow({"first": first, "last": last, "house": row["house"]})


if __name__ == "__main__":
    main()
