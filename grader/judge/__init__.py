"""Stage `judge`: compares the behaviour of a program with the expected one, and explains the differences."""
