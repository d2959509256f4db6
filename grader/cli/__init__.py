"""The command line: it reads arguments, calls one verb of the API, prints, and picks the exit code."""
