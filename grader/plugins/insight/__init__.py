"""Prints the mistakes that students of a class share, and how well each test works."""
