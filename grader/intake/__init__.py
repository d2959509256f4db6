"""Reads a folder or download and returns one submission per student. No platform is named here."""
