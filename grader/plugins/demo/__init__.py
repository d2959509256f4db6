"""Grades a sample class in a new folder, to demonstrate the program.

The class is one of the project's samples: setup.py puts it beside this module, and a checkout has it at its top.
"""
