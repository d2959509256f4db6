"""Says what a word of the grader means, from its documents: `api` reads them, `command` prints what they say."""
