"""Generates pages of docs/reference from the models, commands and causes: `python -m tools.reference`.

A page of a file also has examples from `examples/`, and a page can end with a text from `notes/`.
"""
