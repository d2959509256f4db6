"""Judges calls of functions: values, exceptions, output and variables against the expected ones.

`judge` goes through the calls of a test, `values` finds the differences between two values, and `close_values` accepts
numbers that are close enough. `causes` has the sentences, `reference` the results of the reference.
`grader.run.function` makes the calls.
"""
