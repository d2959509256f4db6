"""Starts, monitors and ends processes."""
