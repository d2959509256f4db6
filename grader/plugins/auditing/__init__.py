"""Audits tests: puts mistakes into correct programs and finds the mistakes that no test notices.

`mutants` makes the mistakes in the programs of `base_program`, those of `audit_file` among them. `base_run` records
which statements each test reaches (`reach`), so that `trial` only runs the tests that can notice a mistake. `report`
summarises the trials. `learn` keeps faulty programs of earlier classes as samples.
"""
