"""Checks a program again after every save: `grader watch`."""
