"""Deletes what the grader keeps about one student.

`person` identifies the student, and the submissions of this student alone. `reports`, `named_in`, `class_files` and
`submissions` list the data, each as a `Removal`. `api` carries the removals out, with the audit log last, because it
records whose outcomes they are. A killed run can therefore be repeated.
"""
