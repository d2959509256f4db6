"""The shapes in which the submissions of a class come, a module each."""
