"""Runs one program in one session and gives one Outcome; it knows nothing of expected output or points."""
