"""Screens: tests of programs that draw in the terminal, such as curses games.

`entry` reads the keys of a test and `keystrokes` the keys to press. `session` presses them in a `terminal` of that
size whenever the program waits, and `emulator` shows what is on the screen then. `frame` holds one such picture, and
`frame_text` writes it to a transcript, which the core compares. `differences` finds the first difference between two
frames, and `causes` explains it.
"""
