"""Causes that are not found in the program's output: those of the grader, the staff and the checks."""

from grader.model.cause import Cause, CauseSubject

NEEDS_REVIEW = Cause("needs-review", CauseSubject.GRADER)
"""The grader could not decide whether your answer is right. You lose no marks.

> A person must decide: whether the given tableau can be derived from the deal.

> A person must decide: the program failed, and passed when it was run again as a process of its own. What it prints
> depends on chance, on time or on how it is run.

You do not need to do anything. Your instructor will look at it.
"""
"""A checker could not tell, so the staff must decide."""

OVERRIDE = Cause("override", CauseSubject.GRADER)
"""The course staff decided the result of this test instead of the grader.

> Decided by the lecturer: the handout forbids the module that was used.

Running the check again changes nothing. Contact the person named in the message.
"""
"""The staff decided differently from the grader."""

INTERNAL_ERROR = Cause("internal-error", CauseSubject.GRADER)
"""The grader itself failed. You lose no marks.

> The grader could not run this test: no pseudo-terminal is available.

You do not need to fix anything, but please tell the course staff.
"""
"""The grader itself failed."""

REQUIRED_TEST = Cause("required-test", CauseSubject.GRADER)
"""The test only counts if another one passes, and the result of the other test is not known yet. You lose no marks.

> This test counts only when game-starts passes, and whether it does is not known yet.

You do not need to do anything. See the message for the other test.
"""
"""A required test does not have a verdict yet."""

MISSING_FILE = Cause("missing-file", CauseSubject.PROGRAM)
"""The program is missing from the submission, or it cannot be read.

> There is no file solitaire_1.py in the submission.

Save it under exactly this name, with the same capital letters.
"""
"""The program is not in the submission."""

NOT_RUN = Cause("not-run", CauseSubject.PROGRAM)
"""The test was not run, because the program ran into the time limit in other tests. Your course sets the number of
timeouts after which the remaining tests are skipped.

> Not run: game.py ran into the time limit in 2 other tests.

Find out why the other tests do not end. The result of this test is unknown.
"""

CHECKER = Cause("checker", CauseSubject.CONTENT)
"""The test has many right answers. A checker examined yours, and the message explains the problem.

> Your tableau has 3 piles; 1 is possible.

Follow the input of the test (`inputs/`) by hand, beside your program's output, and look for the step that breaks
the rule.
"""
"""A checker says what is wrong."""

OUTPUT_CHECK = Cause("output-check", CauseSubject.CONTENT)
"""The test does not compare the whole output. It only checks that certain text is in the output, or is not.

> The output does not contain `Grade 3`.

The report can also show the nearest line of your output, or a message from your course instead. Run the program
with the input of the test and look for the text. Capital letters and spaces matter.
"""
"""Required output is missing, or forbidden output is present."""

SIDE_OUTPUT = Cause("side-output", CauseSubject.CONTENT)
"""The printed output is right, but the standard error or a file written by the program is wrong.

> There is no file `out.csv` when the program has ended; it should write one.

Run the program in an empty folder and open the file that it writes.
"""
"""Standard error, or a file that the program writes, has the wrong content."""

SEALED = Cause("sealed", CauseSubject.CONTENT)
"""This is the first line that is wrong. All lines before it are right.

> Line 2, `Double: 9`, is the first wrong one; what is expected is sealed.

Look at this line, character by character, and at the code that runs just before it is printed.
"""
"""The first wrong line of a test whose expected output is sealed."""
