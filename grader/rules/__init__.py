"""Checks rules about code, which is read but never run. Plugins register rules under `grader.rules`."""
