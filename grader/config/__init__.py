"""Reads YAML and CSV files written by people, with the location of every value, and checks them against models."""
