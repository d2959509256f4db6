"""Autograder and output-verification harness for programs that talk in a terminal."""

from importlib.metadata import version

__version__ = version("grader")
