"""Imports problem packages of Kattis, in the legacy format and the formats of 2023-07 and 2025-09."""
