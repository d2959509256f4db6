def shorten(word):
    return "".join(letter for letter in word if letter not in "AEIOU")
