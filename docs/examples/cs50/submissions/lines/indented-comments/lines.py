import sys


def main():
    if len(sys.argv) != 2:
        sys.exit("Give the name of one Python file.")
    if not sys.argv[1].endswith(".py"):
        sys.exit("Not a Python file")
    try:
        with open(sys.argv[1]) as file:
            print(sum(is_code(line) for line in file))
    except FileNotFoundError:
        sys.exit("File does not exist")


def is_code(line):
    """Whether there is more in the line than a comment."""
    text = line.strip()
    return text != "" and not line.startswith("#")


if __name__ == "__main__":
    main()
