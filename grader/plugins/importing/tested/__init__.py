"""Imports exercises of TESTed: suites in its YAML language, or in the JSON that it generates from them."""
