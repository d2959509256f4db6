"""The reasons why a test did not pass: one function per explanation, next to the causes it can return."""
