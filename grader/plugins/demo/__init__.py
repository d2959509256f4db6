"""Grades a sample class in a new folder, to demonstrate the program.

The class is one of the project's samples: setup.py puts it beside this module, and in a checkout it is at the top
level.
"""
