"""Stage `rules`: what can be said of the code itself, without running it."""
