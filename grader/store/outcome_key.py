"""What an outcome depends on, as a key.

The key covers everything that reaches the program or decides how long it may run: the submitted files, what is
started and how, what is typed, the limits, the interpreter and the code that holds the session. It leaves out what
only the judge looks at, so a change of points, titles or expected transcripts runs nothing again.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields

from grader.files.digest import digest
from grader.model.assignment import Isolation
from grader.model.ending import AsksAgain
from grader.model.program import Limits
from grader.model.test import Test

JUDGED_ONLY = frozenset(
    {
        "id",
        "title",
        "part",
        "visibility",
        "points",
        "ending",
        "expectation",
        "comparison",
        "hidden_twin_of",
        "checker",
        "sealed",
        "provided",
        "counting",
        "partial",
        "hints",
        "sample",
        "may_leave_input",
        "location",
    }
)
"""The fields of a test that its session knows nothing of. A field that is not named here makes a new key."""


@dataclass(frozen=True)
class FileContent:
    """A submitted file as the program sees it: its name in the assignment and the digest of what is in it."""

    name: str
    digest: str


def outcome_key(harness: str, files: Iterable[FileContent], test: Test, limits: Limits, isolation: Isolation) -> str:
    """The key of the outcome of `test` on a submission that is `files`; `harness` is from `harness_identity`."""
    session = {field.name: getattr(test, field.name) for field in fields(test) if field.name not in JUDGED_ONLY}
    # Of a dataclass the digest has the fields; two interactions may have the same.
    session["kind"] = type(test.interaction).__name__
    # The program is stopped there; else it is given the end of its input.
    session["errors_apart"] = test.keeps_errors_apart
    session["asks_again"] = isinstance(test.ending, AsksAgain)
    return digest([harness, sorted((file.name, file.digest) for file in files), session, limits, isolation])
