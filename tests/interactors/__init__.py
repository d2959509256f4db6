"""Interactors: the side that plays, its process, sessions with it, and the examples of the documents."""
