"""An example, to be replaced by your own solution: numbers are added up until an empty line."""


def main() -> None:
    """Ask for numbers and tell their sum."""
    total = 0
    while line := input("Number (or nothing, to end): "):
        total += int(line)
        print(f"So far: {total}")
    print(f"The sum is {total}.")


if __name__ == "__main__":
    main()
