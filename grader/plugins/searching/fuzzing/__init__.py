"""Plays sessions beside the reference: random ones, to find what the tests miss, and ever shorter ones that fail.

`session_plan` reads fuzz.yaml with its `grammar`. `search` draws sessions (`strategies`), plays them beside the
reference (`probe`) and makes those that differ as short as it can (`shorten`). `add_tests` writes them as tests.
"""
