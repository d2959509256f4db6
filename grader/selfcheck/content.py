"""The content of a bundle: the parts of an assignment that a self-check needs, and none that only grading needs.

bundle.json                    the assignment and its public tests
seals.json                     the seals of the sealed ones
expected/TEST.VARIANT.*        the expected transcripts of the others and the rules behind them, as in a course
provided/FILE                  the provided modules
files/DIGEST                   files of the course that programs find beside them
checkers/                      the checkers of these tests with what they reach, if they may be handed out
interactors/                   their interactors in the same way
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from grader.expected.transcripts import ExpectedTranscripts, expected_file, load_transcripts, wanted
from grader.judge.seal import TranscriptSeal
from grader.model.assignment import Assignment, Isolation, SubmissionPolicy
from grader.model.codec import from_json, from_plain, place_of, to_json
from grader.model.interaction import PluginInteraction
from grader.model.program import Limits, Program, ProvidedModule
from grader.model.python_request import PythonRequest, minor_version
from grader.model.rule import Rule, RuleCheck
from grader.model.test import Test, Visibility, with_judging_files
from grader.run.find_python import OWN_VERSION

CONTENT, SEALS = "bundle.json", "seals.json"
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


def public_content(assignment: Assignment, *, checkers: bool = False, interactors: bool = False) -> BundleContent:
    """Return the part of an assignment that students may have, with or without `checkers` and `interactors`.

    Without them, tests that need one are left out, because it may know the answers. Tests of students' own tests are
    always left out, because they contain right programs, and so is a rule that reveals hidden tests.
    """
    public = [test for test in assignment.tests if test.visibility is Visibility.PUBLIC]
    return BundleContent(
        id=assignment.id,
        title=assignment.title,
        due=assignment.due.isoformat(),
        programs=tuple(replace(program, reference=Path()) for program in assignment.programs),
        provided=tuple(module.file for module in assignment.provided),
        limits=assignment.limits,
        rules=tuple(_bundled(rule) for rule in assignment.rules if not rule.check.reveals_hidden_tests),
        submission_policy=assignment.submission_policy,
        further_files=assignment.further_files,
        python=PythonRequest(
            version=assignment.python.version,
            packages=assignment.python.packages,
            made_with=minor_version(OWN_VERSION),
        ),
        tests=tuple(
            replace(_without_digest(_moved(test, _in_bundle, Path())), hidden_twin_of=None, sample=None, location=None)
            for test in public
            if (checkers or test.checker is None)
            and (not isinstance(test.interaction, PluginInteraction) or (interactors and test.interaction.is_game))
        ),
    )


def read_bundle(folder: Path) -> tuple[Assignment, ExpectedTranscripts]:
    """Return the assignment in the folder of an unpacked bundle, and its transcripts. Raises GraderError."""
    content = from_json(BundleContent, (folder / CONTENT).read_text(encoding="utf-8"))
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
        tests=tuple(_moved(test, lambda path: folder / path, folder) for test in content.tests),
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


def _bundled(rule: Rule) -> BundledRule:
    return BundledRule(
        **{**vars(rule), "check": place_of(type(rule.check)), "options": json.loads(to_json(rule.check))}
    )


def _unbundled(rule: BundledRule) -> Rule:
    kind: type[RuleCheck] = resolve_name(rule.check)
    facts = {key: value for key, value in vars(rule).items() if key != "options"}
    return Rule(**{**facts, "check": from_plain(kind, rule.options)})


def _in_bundle(file: Path) -> Path:
    """Return the path of a checker or interactor in a bundle."""
    return Path(file.parent.name, file.name)


def _moved(test: Test, place: Callable[[Path], Path], folder: Path) -> Test:
    """Return the test with its checker or interactor moved by `place`, and the course files moved to `folder`."""
    started = replace(test, start=test.start.moved(lambda file: folder / FILES / file.digest))
    return with_judging_files(started, place)


def _without_digest(test: Test) -> Test:
    """Return the test without the digest of its interactor, which also covers hidden tests' interactors beside it."""
    other = test.interaction
    return replace(test, interaction=other.without_digest()) if isinstance(other, PluginInteraction) else test


def expected_names(assignment: Assignment, tests: Sequence[Test]) -> dict[tuple[str, str], str]:
    """Return the names of the expected files of `tests` in a bundle, by test and variant."""
    return {
        (test.id, variant): expected_file(assignment, test, variant).name for test, variant in wanted(assignment, tests)
    }
