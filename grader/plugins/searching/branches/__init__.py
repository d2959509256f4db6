"""Runs references in Python and reports the branches that each run takes."""
