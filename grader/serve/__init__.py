"""The web application for markers: a class as it is graded, and decisions that end up in the instructor's files."""
