"""Says what this machine has for grading, and what to do next on it."""
