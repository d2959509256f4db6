"""Interactors: functions that play the other side, so that input may depend on output (docs/interactors.md).

An interactor is a function `play(program)` in the course's `interactors/NAME.py`. It is given a `StudentProgram`, see
`program`.
"""
