"""Exercises of TESTed: suites in its YAML language, and in the JSON that it makes of them."""
