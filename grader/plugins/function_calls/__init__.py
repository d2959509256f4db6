"""Judges function calls by comparing values, exceptions, output and variables with the expected ones.

`judge` goes through the calls of a test, `values` finds the differences between two values, and `close_values` accepts
numbers that are close enough. `causes` has the sentences, `reference` the results of the reference.
`grader.run.function` makes the calls.
"""
