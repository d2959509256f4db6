"""Runs the tests of an assignment as pytest tests, with `pytest --submission PATH`.

pytest loads `options` at every start; `items` is imported when the option is given.
"""
