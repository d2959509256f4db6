"""The content of a bundle: the parts of an assignment that a self-check needs, without those for grading.

bundle.json                    the assignment and its public tests
seals.json                     the seals of the sealed tests
*.dist-info/entry_points.txt   the registration of the plugins that name causes
expected/TEST.VARIANT.*        the expected transcripts of the other tests and the rules behind them
provided/FILE                  the provided modules
files/DIGEST                   course files that programs find beside them
checkers/                      the checkers of these tests with the files that they use, if they may be handed out
interactors/                   their interactors, likewise
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from grader.expected.transcripts import ExpectedTranscripts, load_transcripts
from grader.installation import METADATA_NAME
from grader.judge.seal import TranscriptSeal
from grader.model.assignment import Assignment, Isolation, SubmissionPolicy
from grader.model.codec import from_json, from_plain
from grader.model.program import Limits, Program, ProvidedModule
from grader.model.python_request import PythonRequest
from grader.model.rule import Rule, RuleCheck
from grader.model.test import Test, with_judging_files

CONTENT, SEALS = "bundle.json", "seals.json"
ENTRY_POINTS = f"{METADATA_NAME}-0.dist-info/entry_points.txt"
EXPECTED, PROVIDED, FILES = "expected", "provided", "files"


@dataclass(frozen=True, kw_only=True)
class BundledRule:
    """A rule about code, which costs nothing in a self-check.

    `check` locates its class as `module:class`, because a bundle has no entry points; `options` are its fields.
    """

    id: str
    title: str
    check: str
    options: Mapping[str, Any]
    programs: tuple[str, ...]
    part: str | None
    points: Decimal
    deduct: Decimal
    zero_mark: bool


@dataclass(frozen=True, kw_only=True)
class BundleContent:
    """bundle.json; `due` is an ISO 8601 time with the offset of its zone."""

    id: str
    title: str
    due: str
    programs: tuple[Program, ...]
    provided: tuple[str, ...]
    limits: Limits
    rules: tuple[BundledRule, ...]
    submission_policy: SubmissionPolicy
    tests: tuple[Test, ...]
    further_files: tuple[str, ...] = ()
    python: PythonRequest = PythonRequest()


@dataclass(frozen=True)
class SealedTranscript:
    """The seal of the expected transcript of a test in a variant."""

    test: str
    variant: str
    seal: TranscriptSeal


@dataclass(frozen=True)
class BundleSeals:
    """The content of seals.json."""

    seals: tuple[SealedTranscript, ...]


def read_bundle(folder: Path) -> tuple[Assignment, ExpectedTranscripts]:
    """Return the assignment in the folder of an unpacked bundle, and its transcripts. Raises GraderError."""
    content = from_json(BundleContent, (folder / CONTENT).read_text(encoding="utf-8", errors="surrogatepass"))
    sealed = from_json(BundleSeals, (folder / SEALS).read_text(encoding="utf-8"))
    assignment = Assignment(
        id=content.id,
        title=content.title,
        folder=folder,
        programs=content.programs,
        parts=(),
        due=datetime.fromisoformat(content.due),
        late=None,
        limits=content.limits,
        tests=tuple(moved_test(test, lambda path: folder / path, folder) for test in content.tests),
        isolation=Isolation.FRESH_PROCESS,
        provided=tuple(ProvidedModule(name, folder / PROVIDED / name) for name in content.provided),
        rules=tuple(_unbundled(rule) for rule in content.rules),
        submission_policy=content.submission_policy,
        further_files=content.further_files,
        python=content.python,
    )
    seals = {
        (sealed_transcript.test, sealed_transcript.variant): sealed_transcript.seal
        for sealed_transcript in sealed.seals
    }
    texts = load_transcripts(assignment, [test for test in assignment.tests if not test.sealed])
    return assignment, replace(texts, seals=seals)


def _unbundled(rule: BundledRule) -> Rule:
    kind: type[RuleCheck] = resolve_name(rule.check)
    facts = {key: value for key, value in vars(rule).items() if key != "options"}
    return Rule(**{**facts, "check": from_plain(kind, rule.options)})


def moved_test(test: Test, place: Callable[[Path], Path], folder: Path) -> Test:
    """Return the test with its checker or interactor moved by `place`, and the course files moved to `folder`."""
    started = replace(test, start=test.start.moved(lambda file: folder / FILES / file.digest))
    return with_judging_files(started, place)
