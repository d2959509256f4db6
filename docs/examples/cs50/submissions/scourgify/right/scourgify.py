import csv
from argparse import ArgumentParser

parser = ArgumentParser(description="Splits names into two columns.")
parser.add_argument("before")
parser.add_argument("after")
arguments = parser.parse_args()

students = []
try:
    with open(arguments.before) as source:
        for name, house in list(csv.reader(source))[1:]:
            last, first = name.split(",")
            students.append([first.strip(), last, house])
except FileNotFoundError:
    parser.error("Could not read " + arguments.before)

with open(arguments.after, "w") as target:
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(["first", "last", "house"])
    writer.writerows(students)
