from twttr import shorten


def test_words():
    assert shorten("education") == "dctn"
    assert shorten("Thursday") == "Thrsdy"
