"""Explains the words of the grader from its documents: `api` reads them, `command` prints the explanations."""
