import csv
import sys

if len(sys.argv) != 2:
    sys.exit("Usage: python pizza.py MENU.csv")
name = sys.argv[1]
if name[-4:] != ".csv":
    sys.exit("A menu is a CSV file.")
try:
    menu = [row for row in csv.reader(open(name))]
except FileNotFoundError:
    sys.exit("There is no such menu.")

widths = []
for place, heading in enumerate(menu[0]):
    widths.append(max([len(heading) + 2] + [len(row[place]) for row in menu[1:]]))

rule = "+" + "".join("-" * (width + 2) + "+" for width in widths)
print(rule)
for row in menu:
    print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |")
    print(rule.replace("-", "=") if row is menu[0] else rule)
