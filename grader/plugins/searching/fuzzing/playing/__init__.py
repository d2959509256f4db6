"""Plays sessions that are like tests, with the reference and with submissions."""
