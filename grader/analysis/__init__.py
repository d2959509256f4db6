"""Analyses the results of a class: shared mistakes, and statistics of the tests."""
