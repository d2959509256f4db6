"""Communicates with a program through a pseudo-terminal."""
