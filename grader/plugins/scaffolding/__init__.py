"""Makes the first files of a course and of an assignment, ready to use, and copies a course for the next term.

`scaffold` fills in the templates, and never overwrites a file. `author` runs the references for the expected
transcripts, and `generate_command` prints what it did. `next_term` copies a course for another term: `yaml_edits` and
`moved_dates` change its dates, and `old_term` finds remains of the old term.
"""
