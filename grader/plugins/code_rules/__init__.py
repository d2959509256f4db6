"""The rules about code that are included with the grader, which pyproject.toml registers by name."""
