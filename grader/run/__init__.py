"""Runs one program in one session and returns one Outcome, without any knowledge of expected output or points."""
