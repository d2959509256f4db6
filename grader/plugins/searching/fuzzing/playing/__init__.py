"""Plays sessions that are modelled on tests, with the reference and with submissions."""
