"""Runs a program in a session and returns an Outcome, without knowledge of the expected output or points."""
