"""Reports what this machine provides for grading, and what to do next."""
