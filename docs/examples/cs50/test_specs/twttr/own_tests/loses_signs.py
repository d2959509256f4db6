def shorten(word):
    return "".join(letter for letter in word if letter.lower() not in "aeiou" and (letter.isalnum() or letter == " "))
