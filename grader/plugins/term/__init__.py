"""The table of a term: marks over several assignments, from their reports.

`term_file` reads term.yaml, `reported` a results.json, and `students` matches their rows. `late_days` computes marks
with some days forgiven, `hand_out` distributes the days, `weighing` makes totals. `table` puts all of this together,
`formats` and `terminal` show the result, and `days_left` tells grading how many late days earlier assignments have
left.
"""
