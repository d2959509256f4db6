"""The command line: one small module per command."""

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells give it."""
