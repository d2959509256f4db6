from sys import argv, exit

if len(argv) != 2 or not argv[1].endswith(".py"):
    exit("Usage: python lines.py FILE.py")

try:
    file = open(argv[1])
except OSError as error:
    exit(f"There is no such file: {error}".translate({ord(digit): None for digit in "0123456789"}))

with file:
    stripped = [line.lstrip() for line in file.readlines()]

print("Lines of code:", len([line for line in stripped if line and line[0] != "#"]))
