"""The table of a term: marks over several assignments, from their reports.

`term_file` reads term.yaml, `reported` a results.json, and `students` matches their rows. `late_days` says what marks
would be with some days forgiven, `hand_out` gives days out, `weighing` makes totals. `table` puts all of that together
and `formats` and `terminal` show it.
"""
