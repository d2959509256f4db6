"""The command line: reads arguments, calls one function of the API, prints the result, and chooses the exit code."""
