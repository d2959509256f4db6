from twttr import shorten


def test_one_vowel():
    assert shorten("cat") == "ct"
    assert shorten("CAT") == "CT"
    assert shorten("c4t!") == "c4t!"
