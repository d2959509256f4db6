"""Compares submissions with the reference in random sessions, and in ever shorter sessions that still fail.

`session_plan` reads fuzz.yaml with its `grammar`. `search` draws sessions (`strategies`), plays them with a submission
and the reference (`probe`) and shortens the ones that differ (`shorten`). `add_tests` writes them as tests.
"""
