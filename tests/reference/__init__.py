"""Tests of the reference programs."""
