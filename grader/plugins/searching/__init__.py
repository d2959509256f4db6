"""Searches for missing tests of a course: random sessions (`fuzzing`), and seeds or decks (`seeds`)."""
