"""Calls one function of a program in a child process."""
