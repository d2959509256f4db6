class Full(Exception):
    """There is no place left."""


class Queue:
    """People who wait, at most so many."""

    _everybody = []

    def __init__(self, places):
        if places < 1:
            raise ValueError("at least one place")
        self.places = places
        self._waiting = Queue._everybody

    @property
    def length(self):
        """How many wait."""
        return len(self._waiting)

    def join(self, name):
        """Stand at the end."""
        if self.length == self.places:
            raise Full
        self._waiting.append(name)

    def call(self):
        """The first one leaves."""
        return self._waiting.pop(0)
