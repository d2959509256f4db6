"""The verbs of the grader as functions: each takes values and callbacks and gives values."""
