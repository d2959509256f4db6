"""What an outcome depends on, as a key.

The key covers everything that reaches the program or decides how long it may run: the submitted files, what is
started and how, what is typed, the limits, the interpreter and the code that holds the session. It leaves out what
only the judge looks at, so a change of points, titles or expected transcripts runs nothing again.

A key begins with its owner, which stands for the submission, so that what a student's program did can be removed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields

from grader.files.digest import digest, digested_text, text_digest
from grader.model.assignment import Isolation
from grader.model.ending import AsksAgain
from grader.model.program import Limits
from grader.model.test import Test
from grader.store.provenance import language_identity, plugin_identity

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

_OWNER_DIGITS, _AFTER_OWNER = 16, "-"
_MOST_SESSIONS = 10_000
"""Of tests that are made anew for each submission none is met twice."""


@dataclass(frozen=True)
class FileContent:
    """A submitted file as the program sees it: its name in the assignment and the digest of what is in it."""

    name: str
    digest: str


def owner(submission: str) -> str:
    """Return the owner of the outcomes of a submission with this digest, as reports and the audit log have it."""
    return submission[:_OWNER_DIGITS]


def owner_of_key(key: str) -> str:
    """Return the owner that a key of an outcome begins with; empty for a key of an earlier version."""
    return key.rpartition(_AFTER_OWNER)[0]


class KeyMaker:
    """Makes the keys of outcomes. Several threads may use it.

    It keeps what the keys have of a test, which is the same for all submissions of a class.
    """

    def __init__(self) -> None:
        self._sessions: dict[tuple[int, int], tuple[Test, Limits, Mapping[Isolation, str]]] = {}

    def keys(
        self, harness: str, files: Iterable[FileContent], tests: Iterable[Test], limits: Limits
    ) -> dict[tuple[str, Isolation], str]:
        """Return the keys of the outcomes of `tests` on a submission that is `files`, by test and isolation.

        `harness` is from `harness_identity`.
        """
        contents = sorted((file.name, file.digest) for file in files)
        before = f"[{digested_text(harness)},{digested_text(contents)},"
        keys = {}
        owners: dict[tuple[str, ...], str] = {}
        for test in tests:
            if test.provided not in owners:
                handed_in = [content for content in contents if content[0] not in test.provided]
                owners[test.provided] = owner(digest(handed_in)) + _AFTER_OWNER
            for isolation, session in self._session(test, limits).items():
                keys[test.id, isolation] = owners[test.provided] + text_digest(f"{before}{session}]")
        return keys

    def _session(self, test: Test, limits: Limits) -> Mapping[Isolation, str]:
        # The values themselves take long to compare; held here, no other ones can have their places in memory.
        place = id(test), id(limits)
        if place not in self._sessions:
            if len(self._sessions) >= _MOST_SESSIONS:
                self._sessions.clear()
            self._sessions[place] = test, limits, _session_texts(test, limits)
        return self._sessions[place][2]


def _session_texts(test: Test, limits: Limits) -> Mapping[Isolation, str]:
    session = {field.name: getattr(test, field.name) for field in fields(test) if field.name not in JUDGED_ONLY}
    # Of a dataclass the digest has the fields; two interactions may have the same.
    session["language"] = language_identity(test.recipe)
    session["kind"] = type(test.interaction).__name__
    session["plugin"] = plugin_identity(test.interaction)
    session["watch"] = plugin_identity(test.start.watch)
    # The program is stopped there; else it is given the end of its input.
    session["errors_apart"] = test.keeps_errors_apart
    session["asks_again"] = isinstance(test.ending, AsksAgain)
    text = f"{digested_text(session)},{digested_text(limits)}"
    return {isolation: f"{text},{digested_text(isolation)}" for isolation in Isolation}
