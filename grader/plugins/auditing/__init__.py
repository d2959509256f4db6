"""Audits tests: puts mistakes into right programs and finds the mistakes that no test notices.

`mutants` makes the mistakes in the programs of `base_program`, those of `audit_file` among them. `base_run` notes which
statements each test reaches (`reach`), so that `trial` runs only the tests that can notice a mistake, and `report` sums
up. `learn` keeps faulty programs of earlier classes as samples.
"""
