"""Marks as pure functions of points and times."""
