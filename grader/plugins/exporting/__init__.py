"""Writes marks, feedback and autograders for learning platforms in the formats registered as `grader.platforms`.

`api` chooses the format and writes the export for `command`; `deliver` sends marks to a platform through its API.
`autograde_command` runs inside a platform's autograder.
"""
