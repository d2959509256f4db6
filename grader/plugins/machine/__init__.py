"""Reports what this machine provides for grading, and suggests what to do next."""
