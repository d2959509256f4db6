"""Interactors: functions that play the other side, so that input may depend on output.

docs/reference/interactor-protocol.md says what they are given.

An interactor is a function `play(program)` in the course's `interactors/NAME.py`; `program` has what it sees. `child`
is its process, `process` the session's end of that, and `protocol` what they say to each other. `session` holds a
session in a terminal or through `pipes`. `entry` reads the keys of a test, `interaction` is what the test then has.
"""
