"""Imports checks of check50 in their usual form."""
