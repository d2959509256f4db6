import csv
from sys import argv, exit

if len(argv) < 3:
    exit("Too few command-line arguments")
if len(argv) > 3:
    exit("Too many command-line arguments")

students = []
try:
    with open(argv[1]) as source:
        for name, house in list(csv.reader(source))[1:]:
            last, first = name.split(",")
            students.append([first.strip(), last, house])
except FileNotFoundError:
    exit("Could not read " + argv[1])

with open(argv[2], "w") as target:
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(["first", "last", "house"])
    writer.writerows(students)
