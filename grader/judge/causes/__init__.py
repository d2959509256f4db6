"""The reasons why a test did not pass: one function per explanation, with its possible causes declared beside it."""
