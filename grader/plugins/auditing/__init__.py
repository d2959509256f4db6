"""Audits tests: puts mistakes into correct programs and finds the mistakes that no test notices.

`mutants` makes mistakes in the programs from `base_program`, including the mistakes listed in `audit_file`. `base_run`
records which statements each test reaches (`reach`), so that `trial` only runs the tests that can notice a mistake.
`report` summarises the trials. `learn` keeps faulty programs of earlier classes as samples.
"""
