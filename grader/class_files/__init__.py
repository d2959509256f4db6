"""Reads the files about a class: roster, extensions, marks, overrides and comments."""
