"""The cause that only tests with an interactor have."""

from grader.model.cause import Cause, CauseSubject

INTERACTOR = Cause("interactor", CauseSubject.CONTENT)
"""What is typed in this test depends on what your program prints: an interactor plays against it, and says what is
wrong.

> The card 4♥ was dealt before.

> The program asks for input where it should print `higher`, `lower` or `right`; its last line is `Your guess: `.

> The program asks for input where it should print a guess; is its output flushed?

Read the end of the session, which stands below, up to the last line that was typed: what should your program print
next? Output that is not flushed (`print(guess, flush=True)`, `fflush(stdout)`) is not seen before the program ends.
"""
"""An interactor says what is wrong."""
