"""Writes marks, feedback and autograders for learning platforms, whose formats the group `grader.platforms` has.

`api` chooses the format and writes what `command` was asked for; `deliver` sends marks to a platform that takes them
by itself. `autograde_command` runs where a platform runs an autograder.
"""
