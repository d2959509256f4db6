"""The table of a term: marks over several assignments, from their reports.

`term_file` reads term.yaml, `reported` a results.json, and `students` matches their rows. `late_days` says what marks
would be with some days forgiven, `hand_out` gives days out, `weighing` makes totals. `table` puts all of that together
`formats` and `terminal` show it, and from
`days_left` grading knows what earlier assignments have left of the late days.
"""
