"""Tests of tests: what a student wrote to test a program is tried on good and bad programs of the instructor.

`entry` reads the key `own_tests`, and `interaction` is what a test then has. `trial_report` is one trial, made by
`child` in the student's Python; `shared_trials` has those that tests share. `judge` judges what they report, `causes`
has its sentences.
"""
