"""Finds the lines of failing programs that are likely at fault, for `--locate`.

`locate` runs the tests of a submission once more and has `line_record` watch which lines run, `ranking` ranks these
lines, `small_repairs` tries programs with one of the `small_changes`, and `suspects` has what all of it comes to and
shows it.
"""
