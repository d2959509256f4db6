"""Causes that no session shows: there was no session, or a checker or a seal judged it."""

from grader.model.cause import Cause, CauseSubject

INTERNAL_ERROR = Cause("internal-error", CauseSubject.GRADER)
"""The grader itself failed."""

MISSING_FILE = Cause("missing-file", CauseSubject.PROGRAM)
"""The program is not in the submission."""

CHECKER = Cause("checker", CauseSubject.CONTENT)
"""A checker says what is wrong."""

SEALED = Cause("sealed", CauseSubject.CONTENT)
"""The first wrong line of a test whose expected output is sealed."""
