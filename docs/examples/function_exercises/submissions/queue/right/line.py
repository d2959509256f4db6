class Full(Exception):
    """There is no place left."""


class Queue:
    """People who wait, at most so many."""

    def __init__(self, places):
        if places < 1:
            raise ValueError("at least one place")
        self.places = places
        self._waiting = []
        self.length = 0

    def join(self, name):
        """Stand at the end."""
        if self.length == self.places:
            raise Full
        self._waiting += [name]
        self.length += 1

    def call(self):
        """The first one leaves."""
        self.length -= 1
        return self._waiting.pop(0)
