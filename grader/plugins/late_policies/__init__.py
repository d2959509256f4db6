"""The late policies that come with the grader. pyproject.toml registers each under its name."""
