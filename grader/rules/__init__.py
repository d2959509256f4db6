"""Rules about code, which is read and never run. Plugins register them under `grader.rules`."""
