"""The grader's late policies, one module each, which pyproject.toml registers under `grader.late_policies`."""
