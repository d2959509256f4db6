"""Causes in the content of a line: cards, boards and groups of cards, values that are exchanged."""
