"""Calls functions of a program in a child process."""
