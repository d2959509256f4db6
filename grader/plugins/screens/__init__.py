"""Screens: tests of programs that draw in the terminal, such as curses games.

`entry` reads the keys of a test, and `keystrokes` the keys to press. `session` presses them in a `terminal` of the
right size whenever the program waits, and `emulator` knows what is on the screen. `frame` holds a picture of it, and
`frame_text` writes it to a transcript, which the core compares. `written_frames` reads the transcript, `differences`
finds the first difference between two frames, and `causes` explains it.
"""
