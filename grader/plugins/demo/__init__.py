"""Grades a sample class in a new folder, to show what the program does.

The class is one of the samples of the project: setup.py puts it beside this module, and a checkout has it at its top.
"""
