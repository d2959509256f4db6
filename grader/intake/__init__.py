"""Reads a folder or download and returns one submission per student. It does not refer to any particular platform."""
