"""Writes results as text, CSV, JSON and web pages. Marks are not computed here."""
