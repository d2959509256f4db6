"""Puts the stages together: runs tests on submissions and collects the results."""
