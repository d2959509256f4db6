"""Writes the pages of docs/reference that the models, commands and causes describe: `python -m tools.reference`.

A page of a file also has examples from `examples/`, and a page may end with a text from `notes/`.
"""
