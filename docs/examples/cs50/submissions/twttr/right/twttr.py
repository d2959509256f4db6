def shorten(word):
    for vowel in "aeiouAEIOU":
        word = word.replace(vowel, "")
    return word


if __name__ == "__main__":
    print(shorten(input("What shall be shorter? ")))
