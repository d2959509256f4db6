"""Autograder and output-verification harness for programs that talk in a terminal."""
