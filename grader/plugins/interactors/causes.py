"""The cause that only tests with an interactor have."""

from grader.model.cause import Cause, CauseSubject

INTERACTOR = Cause("interactor", CauseSubject.CONTENT)
"""An interactor says what is wrong."""
