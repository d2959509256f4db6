"""Explains the grader's terms with text from its documents: `api` reads them, `command` prints the explanations."""
