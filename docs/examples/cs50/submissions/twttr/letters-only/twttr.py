def main():
    print("Output:", shorten(input("Input: ")))


def shorten(word):
    """The word without its vowels."""
    return "".join(letter for letter in word if letter.lower() not in "aeiou" and (letter.isalpha() or letter == " "))


if __name__ == "__main__":
    main()
