import datetime
import sys

ONES = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
ONES += ["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def minutes(birth, today):
    return round((today - birth).total_seconds() / 60)


def words(number):
    """The words of a number above 0."""
    for size, name in (1000000, " million"), (1000, " thousand"):
        if number >= size:
            rest = number % size
            return words(number // size) + name + (", " + words(rest) if rest else "")
    if number >= 100:
        return (ONES[number // 100] + " hundred " + words(number % 100)).strip()
    if number < 20:
        return ONES[number]
    return "-".join(filter(None, [TENS[number // 10], ONES[number % 10]]))


def main():
    print("When were you born?")
    answer = input("Write YYYY-MM-DD: ")
    try:
        year, month, day = answer.split("-")
        birth = datetime.date(int(year), int(month), int(day))
    except ValueError:
        sys.exit("That is no date.")
    text = words(minutes(birth, datetime.date.today()))
    print(text[0].upper() + text[1:], "minutes")


if __name__ == "__main__":
    main()
