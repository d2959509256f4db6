"""Searches few inputs that together reach all that a program can do."""
