"""Judges calls of functions: values, exceptions, output and variables against the expected ones.

`judge` goes through the calls of a test, `values` finds where two values differ, and `close_values` which numbers are
near enough. `causes` has the sentences, `reference` the results of the reference. `grader.run.function` makes the
calls.
"""
