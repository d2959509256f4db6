"""Reads YAML and CSV files that people write, with the place of every value, and checks them against models."""
