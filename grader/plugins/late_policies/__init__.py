"""The late policies of the grader, one module each; pyproject.toml registers them under `grader.late_policies`."""
