"""The frozen values that pass through the grader; they only need the standard library."""
