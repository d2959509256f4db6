"""Recording: a person plays a program, and what was typed becomes a test."""
