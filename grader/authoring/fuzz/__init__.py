"""Plays random sessions against the reference and accepted submissions, and finds the shortest in which they differ."""
