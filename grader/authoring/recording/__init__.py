"""Turns a session that a person plays into a test."""
