"""Deletes what the grader keeps about one student.

`person` says who is meant, and which submissions are that student's alone. `reports`, `named_in`, `class_files` and
`submissions` list what there is, each a `Removal`. `api` carries them out, the audit log last, because it tells whose
the outcomes are: so a run that was killed can be repeated.
"""
