"""The frozen values that flow through the grader; they need nothing but the standard library."""
