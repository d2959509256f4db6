from twttr import shorten


def test_it_runs():
    shorten("education")
