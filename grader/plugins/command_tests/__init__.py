"""Commands as tests: a shell command line, or a list of words, that must end with the expected exit status.

`entry` reads the key `command`, which gives a test its `interaction`. `shell` starts the command, `words` finds the
programs in it, and `judge` judges its exit status, using the `report` of a sanitizer or valgrind and the sentences in
`causes`.
"""
