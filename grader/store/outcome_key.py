"""Computes the key of an outcome, which covers everything the outcome depends on.

This is everything that reaches the program or affects how long it can run: the submitted files, the command and its
settings, the input, the limits, the interpreter and the code that runs the session. It does not cover anything that
only the judge uses, so changing points, titles or expected transcripts does not run any tests again.

A key begins with its owner, which identifies the submission, so that all traces of a student's program can be removed.
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
"""The fields of a test that do not affect its session. All other fields become part of the key."""

_OWNER_DIGITS, AFTER_OWNER = 16, "-"
"""The length of an owner at the beginning of an outcome's key, and the text after it."""

_MAX_SESSIONS = 10_000
"""The maximum number of tests whose digests are cached, because tests created separately for each submission never
recur.
"""


@dataclass(frozen=True)
class FileContent:
    """A submitted file as the program sees it: its name in the assignment and the digest of its content."""

    name: str
    digest: str


def owner(submission: str) -> str:
    """Return the owner of the outcomes of a submission with this digest, as used in reports and the audit log."""
    return submission[:_OWNER_DIGITS]


class KeyMaker:
    """Creates the keys of outcomes. It is thread-safe.

    It caches each test's part of the key, which is the same for all submissions of a class.
    """

    def __init__(self) -> None:
        self._sessions: dict[tuple[int, int], tuple[Test, Limits, Mapping[Isolation, str]]] = {}

    def keys(
        self, harness: str, files: Iterable[FileContent], tests: Iterable[Test], limits: Limits
    ) -> dict[tuple[str, Isolation], str]:
        """Return the keys of the outcomes of `tests` for the submission `files`, by test and isolation.

        `harness` is the result of `harness_identity`.
        """
        contents = sorted((file.name, file.digest) for file in files)
        before = f"[{digested_text(harness)},{digested_text(contents)},"
        keys = {}
        owners: dict[tuple[str, ...], str] = {}
        for test in tests:
            if test.provided not in owners:
                handed_in = [content for content in contents if content[0] not in test.provided]
                owners[test.provided] = owner(digest(handed_in)) + AFTER_OWNER
            for isolation, session in self._session(test, limits).items():
                keys[test.id, isolation] = owners[test.provided] + text_digest(f"{before}{session}]")
        return keys

    def _session(self, test: Test, limits: Limits) -> Mapping[Isolation, str]:
        # Comparing the values themselves would be slow. While they are referenced here, their ids cannot be reused.
        place = id(test), id(limits)
        if place not in self._sessions:
            if len(self._sessions) >= _MAX_SESSIONS:
                self._sessions.clear()
            self._sessions[place] = test, limits, _session_texts(test, limits)
        return self._sessions[place][2]


def _session_texts(test: Test, limits: Limits) -> Mapping[Isolation, str]:
    session = {field.name: getattr(test, field.name) for field in fields(test) if field.name not in JUDGED_ONLY}
    # The digest of a dataclass only covers its fields, which two kinds of interaction may share.
    session["language"] = language_identity(test.recipe)
    session["kind"] = type(test.interaction).__name__
    session["plugin"] = plugin_identity(test.interaction)
    session["watch"] = plugin_identity(test.start.watch)
    # A program that must ask again is stopped when it does; any other program gets the end of its input.
    session["errors_apart"] = test.keeps_errors_apart
    session["asks_again"] = isinstance(test.ending, AsksAgain)
    text = f"{digested_text(session)},{digested_text(limits)}"
    return {isolation: f"{text},{digested_text(isolation)}" for isolation in Isolation}
