"""Searches for tests that a course lacks: random sessions (`fuzzing`), and seeds or decks (`seeds`)."""
