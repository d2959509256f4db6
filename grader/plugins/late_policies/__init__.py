"""The late policies of the grader, a module each; pyproject.toml registers them under `grader.late_policies`."""
