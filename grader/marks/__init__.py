"""Computes marks as pure functions of points and times."""
