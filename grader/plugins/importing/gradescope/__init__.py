"""Autograders of Gradescope whose tests are those of unittest."""
