"""Deletes the data that the grader keeps about one student.

`person` identifies the student and the student's individual submissions. `reports`, `named_in`, `class_files` and
`submissions` list the data, each as a `Removal`. `api` performs the removals. The audit log comes last, because it
records who owns the outcomes, so that a killed run can be repeated.
"""
