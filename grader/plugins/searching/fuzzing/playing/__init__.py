"""Plays sessions like those of tests, with the reference and with submissions."""
