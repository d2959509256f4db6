"""Tests of tests: a student's own tests are tried on good and bad programs by the instructor.

`entry` reads the key `own_tests`, which gives a test its `interaction`. `trial_report` is one trial, run by `child` in
the student's Python; `shared_trials` manages trials that several tests share. `judge` judges the results with the
sentences in `causes`.
"""
