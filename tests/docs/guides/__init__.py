"""Tests of the guides."""

OPENINGS = "In this guide you'll ", "This guide shows you how to "
"""The words that open a guide."""
