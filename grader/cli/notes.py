"""Prints what the authors of an assignment should know about its files, apart from what a command is asked for."""

import sys

from grader.model.assignment import Assignment
from grader.text.escape import escape_controls


def print_notes(assignment: Assignment) -> None:
    """Print the notes on the files of `assignment` to standard error, where they are in no report."""
    for note in assignment.notes:
        print(f"note: {escape_controls(str(note))}", file=sys.stderr)
