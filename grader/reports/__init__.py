"""Writes results as text, CSV, JSON and web pages. Nothing here computes a mark."""
