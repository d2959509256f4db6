"""Makes tests from sample sessions in a handout, each of which is typed and compared with the reference."""

import ast
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.api.course import load
from grader.authoring.reference_files import reference_files
from grader.config.yaml_writer import Writable
from grader.files.digest import file_digest
from grader.judge.judge import judge
from grader.model.assignment import Isolation
from grader.model.ending import SUCCESS
from grader.model.expectation import FromReference
from grader.model.interaction import Dialogue
from grader.model.outcome import Outcome, Termination
from grader.model.program import CourseFile, Limits, StartSettings
from grader.model.test import ComparisonPolicy, IgnoredDifference, Test
from grader.plugins.importing.course_draft import (
    CourseDraft,
    ImportedAssignment,
    ImportingError,
    UniqueNames,
    test_files,
)
from grader.plugins.importing.followed_session import FollowedSession, shortened
from grader.plugins.importing.printed_samples import PrintedSample, has_blocks, printed_samples
from grader.plugins.importing.stated import ANYTHING, StatedAssignment
from grader.run.environment import open_environment
from grader.run.interface import TestRunner
from grader.text.words import pluralize

_IGNORED = (
    (),
    ("trailing-whitespace",),
    ("trailing-whitespace", "blank-lines"),
    ("trailing-whitespace", "blank-lines", "space-change"),
)
"""The differences allowed between a sample and the reference, the smallest first."""


def import_session(
    file: Path, course: Path, *, name: str, due: date, solution: Path, lines: Sequence[str] = ()
) -> ImportedAssignment:
    """Make a test from each sample in a file: from ranges of lines such as `40-95`, all its blocks, or the whole file.

    The solution is run without a sandbox. Raises ImportingError.
    """
    samples = printed_samples(file, lines)
    made = _Samples(
        file=file,
        solution=solution,
        draft=CourseDraft(name, file),
        is_page=not lines and len(samples) > 1 and has_blocks(file),
    )
    with _running(solution) as reference:
        for sample in samples:
            made.add(sample, reference)
    made.note_others()
    provided = _modules(solution, made.draft)
    assignment = StatedAssignment(
        draft=made.draft,
        title=name,
        due=due,
        programs={solution.name: {}},
        tests=made.tests,
        solution=solution,
        more={"provided": provided} if provided else {},
        defaults={"visibility": "public"},
    )
    return assignment.write(course)


@dataclass(kw_only=True)
class _Reference:
    """The solution in one environment, which runs only once for the same typed lines."""

    runner: TestRunner
    test: Test
    limits: Limits
    start: StartSettings = StartSettings()
    outcomes: dict[tuple[bool, tuple[str, ...]], Outcome] = field(default_factory=dict)

    def started(self, start: StartSettings) -> "_Reference":
        """Return the solution, started with arguments and files."""
        return self if start == self.start else replace(self, start=start, outcomes={})

    def run(self, typed: Sequence[str]) -> Outcome:
        """Run it with typed lines, until it asks for more."""
        return self._outcome(self.test, typed)

    def run_to_end(self, typed: Sequence[str]) -> Outcome:
        """Run it with typed lines and the end of the input."""
        return self._outcome(replace(self.test, ending=SUCCESS), typed)

    def varies(self, typed: Sequence[str]) -> bool:
        """Return whether the output changes if it is run again."""
        return self.run(typed).transcript != replace(self, outcomes={}).run(typed).transcript

    def _outcome(self, test: Test, typed: Sequence[str]) -> Outcome:
        key = (test is self.test, tuple(typed))
        if key not in self.outcomes:
            session = replace(test, interaction=Dialogue(tuple(typed)), start=self.start)
            self.outcomes[key] = self.runner.run(session, self.limits, Isolation.FRESH_PROCESS, {})
        return self.outcomes[key]


@dataclass(kw_only=True)
class _Samples:
    """The tests made from samples; the samples of a page may belong to other programs."""

    file: Path
    solution: Path
    draft: CourseDraft
    is_page: bool
    tests: list[dict[str, Writable]] = field(default_factory=list)
    names: UniqueNames = field(default_factory=UniqueNames)
    others: list[int] = field(default_factory=list)

    def add(self, sample: PrintedSample, reference: _Reference) -> None:
        """Follow a sample, and make a test from it if the solution can play it."""
        files = self._files(sample)
        start = StartSettings(
            sample.arguments, files=tuple(CourseFile(name, file_digest(path), path) for name, path in files)
        )
        player = reference.started(start)
        session = _followed(sample, player)
        self._add_session(session, player, files)
        if session.another is not None:
            self.add(session.another, reference)

    def _add_session(self, session: FollowedSession, player: _Reference, files: Sequence[tuple[str, Path]]) -> None:
        sample = session.sample
        if self.is_page and (not session.agreeing or session.agreeing * 2 < session.shown):
            self.others.append(sample.first)
            return
        outcome = session.outcome
        if session.differences and _fails(outcome):
            last = f"after {shortened(session.typed[-1])!r}" if session.typed else "before anything"
            self._note(f"the sample from line {sample.first} on was not imported: the program fails {last} was typed")
            return
        self._note_session(session)
        if session.differences and player.varies(session.typed):
            self._note("the program prints something else whenever it is run, so what it draws at random needs a seed")
        test_id = self.names.of("sample")
        self.tests.append(self._test(test_id, session, outcome, files))
        self._keep_sample(test_id, session, outcome, player.test)

    def note_others(self) -> None:
        """Note the blocks of a page that are not sessions of this program."""
        if self.others:
            lines = ", ".join(map(str, self.others))
            self._note(f"the blocks from these lines on are no sessions of {self.solution.name}: {lines}")

    def _note(self, text: str) -> None:
        self.draft.note(f"{self.file.name}: {text}.")

    def _note_session(self, session: FollowedSession) -> None:
        lines = pluralize(len(session.typed), "typed line")
        self._note(f"the sample from line {session.sample.first} on has {lines}")
        for difference in session.differences:
            self._note(difference)
        for number in session.left_out:
            self._note(f"line {number}: the sample leaves lines out, so it is not kept; typed ones must be added")

    def _files(self, sample: PrintedSample) -> list[tuple[str, Path]]:
        """Return the files named by a sample's command line, if they are beside the solution or the handout."""
        folders = (self.solution.parent, self.file.parent)
        return [
            (name, path)
            for name in dict.fromkeys(sample.arguments)
            for path in [folder / name for folder in folders if (folder / name).is_file()][:1]
            if not Path(name).is_absolute() and ".." not in Path(name).parts
        ]

    def _test(
        self, test_id: str, session: FollowedSession, outcome: Outcome, files: Sequence[tuple[str, Path]]
    ) -> dict[str, Writable]:
        title = f"the sample of the handout, from line {session.sample.first} on"
        test: dict[str, Writable] = {"id": test_id, "title": title, "points": "1", "program": self.solution.name}
        test["input"] = list(session.typed)
        if session.sample.arguments:
            test["args"] = list(session.sample.arguments)
        if files:
            test["files"] = test_files(self.draft, test_id, files)
        if session.is_cut:
            test["asks_again"] = True
        elif outcome.exit_code:
            test["exit_status"] = outcome.exit_code
        return test

    def _keep_sample(self, test_id: str, session: FollowedSession, outcome: Outcome, test: Test) -> None:
        """Give the last test its sample, if the solution prints it."""
        if session.differences or session.left_out:
            return
        ignored = _ignored(test, session.sample.text, outcome)
        if ignored is None:
            number, here = _other_blanks(session.sample, outcome.transcript)
            self._note(f"line {number}: the program prints other blanks, {here!r}; the sample is not kept")
            return
        name = f"{test_id}.txt"
        self.draft.add_own(f"samples/{name}", session.sample.text)
        self.tests[-1]["sample"] = {"file": name, "ignore": list(ignored)} if ignored else name


def _followed(sample: PrintedSample, player: _Reference) -> FollowedSession:
    shown = player.run(()).transcript.lstrip("\n")
    if sample.margin and shown.startswith(sample.margin):
        sample = sample.with_margin()
    session = FollowedSession(player=player, sample=sample)
    session.follow()
    return session


def _other_blanks(sample: PrintedSample, transcript: str) -> tuple[int, str]:
    """Return the number of the first line whose blanks differ from the transcript, and the transcript's line."""
    sample_lines = [line for line in sample.lines if line.text.strip()]
    here = [line for line in transcript.splitlines() if line.strip()]
    pairs = (
        (line.number, text) for line, text in zip(sample_lines, here, strict=False) if line.text.split() != text.split()
    )
    return next(pairs, (sample.first, transcript.partition("\n")[0]))


def _fails(outcome: Outcome) -> bool:
    return outcome.ending is not Termination.ASKED_AGAIN and not SUCCESS.fits(outcome)


@contextmanager
def _running(solution: Path) -> Iterator[_Reference]:
    """Yield the solution, ready to run."""
    with TemporaryDirectory(prefix="grader-session-") as name:
        probe: dict[str, Writable] = {"id": "probe", "program": solution.name, "points": "1", "input": [], **ANYTHING}
        draft = CourseDraft("session", solution)
        StatedAssignment(
            draft=draft,
            title="session",
            due=date.today(),
            programs={solution.name: {}},
            solution=solution,
            tests=[{**probe, "asks_again": True}],
            more={"provided": _modules(solution, draft)},
        ).write(Path(name))
        assignment = load("session", name)
        program, test = assignment.programs[0], assignment.tests[0]
        files = reference_files(assignment, program, program.reference)
        with open_environment() as environment, environment.runner(files) as runner:
            yield _Reference(runner=runner, test=test, limits=assignment.limits)


def _modules(solution: Path, draft: CourseDraft) -> list[Writable]:
    """Add the modules beside a solution that it imports, and return their entries."""
    if solution.suffix != ".py":
        return []
    try:
        nodes = list(ast.walk(ast.parse(solution.read_bytes())))
    except SyntaxError as error:
        raise ImportingError(
            f"{solution}: {sys.version.partition(' ')[0]} of Python cannot read it: {error}."
        ) from error
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    modules = [file for name in sorted(names) if (file := solution.with_name(f"{name}.py")).is_file()]
    for file in modules:
        draft.add(f"reference/{draft.id}-{file.name}", file)
    return [{"file": file.name, "source": f"{draft.id}-{file.name}"} for file in modules]


def _ignored(test: Test, text: str, outcome: Outcome) -> tuple[str, ...] | None:
    """Return the differences to ignore so that a sample equals the solution's output, or None if others remain."""
    for words in _IGNORED:
        policy = ComparisonPolicy(ignore=frozenset(map(IgnoredDifference, words)))
        if judge(replace(test, comparison=policy, expectation=FromReference()), text, outcome).divergence is None:
            return words
    return None
