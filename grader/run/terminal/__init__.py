"""Talks to a program through a pseudo-terminal."""
