"""Finds proved repairs of failing programs, for `--repair`.

`program_lines` reads a program as lines of tokens, `edits` compares two programs, and `renaming` gives an accepted
program the names of a student's. `changes` proposes changed programs. `minimise` drops the edits that a repair does
not need, and `search` puts it together. `trial` runs the candidates, and `class_step` proves what was found: it grades
the repaired program with all tests.
"""
