"""Tests of the door for learning platforms."""
