from twttr import shorten


def test_small_vowels():
    assert shorten("education") == "dctn"


def test_capital_vowels():
    assert shorten("EDUCATION") == "DCTN"


def test_capitals_stay():
    assert shorten("Thursday") == "Thrsdy"


def test_digits_stay():
    assert shorten("R2D2") == "R2D2"


def test_signs_stay():
    assert shorten("well, really!") == "wll, rlly!"
