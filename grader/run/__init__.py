"""Runs one program in one session and gives one Outcome; knows nothing of what is expected, or of points."""
