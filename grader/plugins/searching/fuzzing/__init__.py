"""Plays sessions beside the reference: random ones that find mistakes, and ever shorter ones that still fail.

`session_plan` reads fuzz.yaml with its `grammar`. `search` draws sessions (`strategies`), plays them beside the
reference (`probe`) and shortens those that differ as much as possible (`shorten`). `add_tests` writes them as tests.
"""
