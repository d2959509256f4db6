import sys
from datetime import date

SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
POWERS = {10**9: "billion", 10**6: "million", 1000: "thousand"}


def main():
    try:
        birth = date.fromisoformat(input("Date of birth: "))
    except ValueError:
        sys.exit("Invalid date")
    print(in_words(minutes(birth, date.today())).capitalize(), "minutes")


def minutes(birth, today):
    """The minutes from one midnight to another."""
    return (today - birth).days * 24 * 60


def in_words(number):
    """A whole number from 0 on, in words."""
    parts = []
    for power, name in POWERS.items():
        if number >= power:
            parts.append(f"{below_thousand(number // power)} {name}")
            number %= power
    if number or not parts:
        parts.append(below_thousand(number))
    return ", ".join(parts)


def below_thousand(number):
    """A number below a thousand, in words."""
    if number < 20:
        return SMALL[number]
    if number < 100:
        return TENS[number // 10 - 2] + ("-" + SMALL[number % 10] if number % 10 else "")
    return f"{SMALL[number // 100]} hundred" + (f" {below_thousand(number % 100)}" if number % 100 else "")


if __name__ == "__main__":
    main()
