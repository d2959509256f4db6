"""Finds proved repairs of failing programs, for `--repair`.

`program_lines` reads a program as lines of tokens, `edits` compares two programs, and `renaming` gives an accepted
program the names of a student's. `languages` holds what differs between Python and C, whose programs `c_lines` reads
and `c_changes` changes. `candidates` proposes versions of a program: with the changes of `changes` and
`texts`, in the order of `suspicion`, and with `pieces` of accepted programs. `search` tries them, and `minimise` drops
the edits that a repair does not need. `trial` runs the versions, if possible in forks of one interpreter, which
`fork_session` starts in the sandbox. `repairer` proves a repair with all tests, and `class_step` does so for the
failing programs of a class. `kept` keeps the results, `finding` shows them in `words`, and `same_mistakes` groups them.
"""
