"""Commands as tests: a line of a shell, or a list of words, that must end with the expected exit status.

`entry` reads the key `command`, and `interaction` is what a test then has. `shell` starts the command, `words` looks at
the programs that it names, `judge` judges how it ended, with the `report` of a sanitizer or valgrind, and `causes` has
its sentences.
"""
