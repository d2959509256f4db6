import csv
import sys


def main():
    if len(sys.argv) != 2:
        sys.exit("Give the name of one file.")
    if not sys.argv[1].endswith(".csv"):
        sys.exit("Not a CSV file")
    try:
        with open(sys.argv[1], newline="") as file:
            print(table([line.strip().split(",") for line in file]))
    except FileNotFoundError:
        sys.exit("File does not exist")


def table(rows):
    """The rows, the first of which has the headings, in a frame."""
    columns = list(zip(*rows))
    widths = [max(len(cells[0]) + 2, *map(len, cells[1:])) for cells in columns]
    lines = []
    for number, row in enumerate(rows):
        mark = "=" if number == 1 else "-"
        lines.append("+" + "+".join(mark * (width + 2) for width in widths) + "+")
        lines.append("|" + "|".join(f" {cell:{width}} " for cell, width in zip(row, widths)) + "|")
    lines.append("+" + "+".join("-" * (width + 2) for width in widths) + "+")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
