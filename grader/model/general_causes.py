"""The causes that are not found in the output of the program: those of the grader, the staff and the checks."""

from grader.model.cause import Cause, CauseSubject

NEEDS_REVIEW = Cause("needs-review", CauseSubject.GRADER)
"""A checker could not tell, so the staff must decide."""

OVERRIDE = Cause("override", CauseSubject.GRADER)
"""The staff decided otherwise than the grader."""

INTERNAL_ERROR = Cause("internal-error", CauseSubject.GRADER)
"""The grader itself failed."""

REQUIRED_TEST = Cause("required-test", CauseSubject.GRADER)
"""A test that this one requires has no verdict yet."""

MISSING_FILE = Cause("missing-file", CauseSubject.PROGRAM)
"""The program is not in the submission."""

NOT_RUN = Cause("not-run", CauseSubject.PROGRAM)
"""The program ran into the time limit in as many tests as the assignment allows."""

CHECKER = Cause("checker", CauseSubject.CONTENT)
"""A checker says what is wrong."""

OUTPUT_CHECK = Cause("output-check", CauseSubject.CONTENT)
"""Something that must be in the output is not there, or the other way round."""

SIDE_OUTPUT = Cause("side-output", CauseSubject.CONTENT)
"""Standard error, or a file that the program writes, has the wrong content."""

SEALED = Cause("sealed", CauseSubject.CONTENT)
"""The first wrong line of a test whose expected output is sealed."""
