"""The errors this project raises on purpose; their text is written for the person who reads it."""


class GraderError(Exception):
    """Something outside the student's program went wrong; the message says what and what to do."""
