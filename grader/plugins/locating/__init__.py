"""Finds the lines of failing programs that are likely at fault, for `--locate`.

`locate` runs the tests of a submission once more while `line_record` records the executed lines, `ranking` ranks these
lines, `small_repairs` tries programs with one of the `small_changes`, and `suspects` holds and shows the results.
"""
