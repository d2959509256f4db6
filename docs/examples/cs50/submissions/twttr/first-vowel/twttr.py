def main():
    print("Output:", shorten(input("Input: ")))


def shorten(word):
    """The word without its vowels."""
    for vowel in "aeiouAEIOU":
        if vowel in word:
            return word.replace(vowel, "", 1)
    return word


if __name__ == "__main__":
    main()
