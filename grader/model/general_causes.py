"""Causes that are not found in the output of the program: those of the grader, the staff and the checks."""

from grader.model.cause import Cause, CauseSubject

NEEDS_REVIEW = Cause("needs-review", CauseSubject.GRADER)
"""The grader could not tell whether your answer is right. It costs no marks.

> A person must decide: whether the given tableau can be derived from the deal.

> A person must decide: the program failed, and passed when it was run again as a process of its own. What it prints
> depends on chance, on time or on how it is run.

There is nothing to do; your instructor will look at it.
"""
"""A checker could not tell, so the staff must decide."""

OVERRIDE = Cause("override", CauseSubject.GRADER)
"""The course staff decided this test in place of the grader.

> Decided by the lecturer: the handout forbids the module that was used.

Running the check again changes nothing; ask the person named.
"""
"""The staff decided otherwise than the grader."""

INTERNAL_ERROR = Cause("internal-error", CauseSubject.GRADER)
"""The grader itself failed. It costs no marks.

> The grader could not run this test: no pseudo-terminal is available.

There is nothing to do; tell the course staff.
"""
"""The grader itself failed."""

REQUIRED_TEST = Cause("required-test", CauseSubject.GRADER)
"""The test counts only when another one passes, and of that one the grader cannot tell yet. It costs no marks.

> This test counts only when game-starts passes, and whether it does is not known yet.

There is nothing to do; look at what is said of the other test.
"""
"""A test that this one requires has no verdict yet."""

MISSING_FILE = Cause("missing-file", CauseSubject.PROGRAM)
"""The program is not in the submission, or it cannot be read.

> There is no file solitaire_1.py in the submission.

Hand it in under exactly this name, capitals included.
"""
"""The program is not in the submission."""

NOT_RUN = Cause("not-run", CauseSubject.PROGRAM)
"""The test was not run, because the program ran into the time limit in other tests. Your course says after how many
of them the rest is not run.

> Not run: game.py ran into the time limit in 2 other tests.

Find out why the other tests do not end; what this one would show is not known.
"""

CHECKER = Cause("checker", CauseSubject.CONTENT)
"""The test has many right answers. A checker looked at yours and says what is wrong with it.

> Your tableau has 3 piles; 1 is possible.

Follow the input of the test (`inputs/`) by hand, with your program's output beside it, and look for the step that
breaks the rule.
"""
"""A checker says what is wrong."""

OUTPUT_CHECK = Cause("output-check", CauseSubject.CONTENT)
"""The test does not compare the whole output. It names what must be in it, or must not be.

> The output does not contain `Grade 3`.

The nearest line of your output may be shown beside it, or a sentence of your course in its place. Run the program
with the input of the test and look for it; capital letters and spaces count.
"""
"""Something that must be in the output is not there, or the other way round."""

SIDE_OUTPUT = Cause("side-output", CauseSubject.CONTENT)
"""What is printed is right. What is wrong is on standard error, or in a file that the program writes.

> There is no file `out.csv` when the program has ended; it should write one.

Run the program in a folder of its own and open the file that it leaves there.
"""
"""Standard error, or a file that the program writes, has the wrong content."""

SEALED = Cause("sealed", CauseSubject.CONTENT)
"""This is the first line that is wrong; all lines before it are right.

> Line 2, `Double: 9`, is the first wrong one; what is expected is sealed.

Look at that line, character by character, and at what your program does just before it prints it.
"""
"""The first wrong line of a test whose expected output is sealed."""
