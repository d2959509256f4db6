"""The cause that only occurs in tests with an interactor."""

from grader.model.cause import Cause, CauseSubject

INTERACTOR = Cause("interactor", CauseSubject.CONTENT)
"""In this test, the input depends on your program's output. An interactor plays against your program, and the message
explains the problem.

> The card 4♥ was dealt before.

> The program asks for input where it should print `higher`, `lower` or `right`; its last line is `Your guess: `.

> The program asks for input where it should print a guess; is its output flushed?

Read the end of the session below, up to the last typed line. What should your program print next? Flush your output
(`print(guess, flush=True)`, `fflush(stdout)`), because otherwise it may not appear until the program ends.
"""
"""An interactor says what is wrong."""
