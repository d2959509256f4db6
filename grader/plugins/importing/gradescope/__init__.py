"""Imports Gradescope autograders that use unittest."""
