"""Interactors: functions that play the other side, so that input may depend on output.

docs/reference/interactor-protocol.md describes their interface.

An interactor is a function `play(program)` in the course's `interactors/NAME.py`; `program` is its view of the
student's program. `child` runs in the interactor's process, `process` controls it from the session, and `protocol`
defines their messages. `session` runs a session in a terminal or through `pipes`. `entry` reads the keys of a test,
which give the test its `interaction`.
"""
