from unittest import TestCase

from twttr import shorten


class Shorten(TestCase):
    def test_words(self):
        for word, short in {"Apple": "ppl", "pear": "pr", "ZOO": "Z", "9 lives.": "9 lvs."}.items():
            self.assertEqual(shorten(word), short)
