"""Turns a game that a person plays into a test.

`play` runs the reference in the terminal and records the typed lines, `test_file` adds the test to the text of its
file, and `add` writes it together with its expected transcripts, or not at all.
"""
