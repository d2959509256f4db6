"""Safely opens files that others may have put in place, takes digests, and unpacks archives."""
