def shorten(word):
    return word
