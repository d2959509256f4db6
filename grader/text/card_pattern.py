"""The pattern of a playing card in text."""

CARD_PATTERN = r"[\U0001f0a0-\U0001f0ff]|\b(?:10|[2-9AJQK])[♠♥♦♣]|\b(?:10|[2-9TAJQK])[SHDC]\b"
"""A regular expression for a card in the notation used by courses."""
