"""Printed sample sessions of a handout: the reference is run, and what it does not print was typed."""

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from difflib import SequenceMatcher
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.api.course import load
from grader.authoring.reference_files import reference_files
from grader.config.yaml_writer import Writable
from grader.judge.judge import judge
from grader.model.expectation import FromReference
from grader.model.interaction import Dialogue
from grader.model.outcome import Outcome, Termination
from grader.model.test import ComparisonPolicy, IgnoredDifference, Test
from grader.plugins.importing.course_draft import CourseDraft, ImportedAssignment, ImportingError, UniqueNames
from grader.plugins.importing.stated import ANYTHING, StatedAssignment
from grader.run.environment import open_environment

_LINES = re.compile(r"(\d+)-(\d+)")
_MOST_LINES_TYPED = 500
_IGNORED = (
    (),
    ("trailing-whitespace",),
    ("trailing-whitespace", "blank-lines"),
    ("trailing-whitespace", "blank-lines", "space-change"),
)
"""The differences allowed between a sample and the reference, the smallest first."""

Run = Callable[[Sequence[str]], Outcome]


def import_session(
    file: Path, course: Path, *, name: str, due: date, solution: Path, lines: Sequence[str] = ()
) -> ImportedAssignment:
    """Make a test of each sample in a file: of the whole file, or of ranges of lines such as `40-95`.

    The solution is run, without a sandbox. Raises ImportingError.
    """
    draft = CourseDraft(name, file)
    tests: list[dict[str, Writable]] = []
    names = UniqueNames()
    with _running(solution) as (test, run):
        for first, text in _samples(file, lines):
            session = _Session(run=run, sample=text.splitlines(), first=first)
            session.follow()
            test_id = names.of("sample")
            draft.note(f"{file.name}: the sample from line {first} on has {len(session.typed)} typed lines.")
            for difference in session.differences:
                draft.note(f"{file.name}: {difference}.")
            keys: dict[str, Writable] = {"asks_again": True} if session.is_cut else {}
            tests.append({"id": test_id, "title": f"the sample of the handout, from line {first} on", "points": "1"})
            tests[-1] |= {"program": solution.name, "input": list(session.typed), **keys}
            ignored = None if session.differences else _ignored(test, text, run(session.typed))
            if ignored is not None:
                draft.add_own(f"samples/{test_id}.txt", text)
                sample = f"{test_id}.txt"
                tests[-1]["sample"] = {"file": sample, "ignore": list(ignored)} if ignored else sample
    provided = _modules(solution, draft)
    assignment = StatedAssignment(
        draft=draft,
        title=name,
        due=due,
        programs={solution.name: {}},
        tests=tests,
        solution=solution,
        more={"provided": provided} if provided else {},
        defaults={"visibility": "public"},
    )
    return assignment.write(course)


def _samples(file: Path, ranges: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the first line of each sample, and its text. Raises ImportingError."""
    lines = file.read_text("utf-8-sig").splitlines()
    for text in ranges or (f"1-{len(lines)}",):
        match = _LINES.fullmatch(text)
        first, last = (int(match[1]), int(match[2])) if match else (0, 0)
        if not 1 <= first <= last <= len(lines):
            raise ImportingError(f"`{text}` is no range of lines of {file}; expected one such as 1-{len(lines)}.")
        yield first, "".join(f"{line}\n" for line in lines[first - 1 : last])


@contextmanager
def _running(solution: Path) -> Iterator[tuple[Test, Run]]:
    """Yield a test of the solution, and a function that runs it with typed lines until it asks for more."""
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
        with open_environment() as environment:

            def run(typed: Sequence[str]) -> Outcome:
                typing = replace(test, interaction=Dialogue(tuple(typed)))
                return environment.run(typing, files, assignment.limits, {})

            yield test, run


def _modules(solution: Path, draft: CourseDraft) -> list[Writable]:
    """Add the modules beside a solution that it imports, and return their entries."""
    if solution.suffix != ".py":
        return []
    nodes = list(ast.walk(ast.parse(solution.read_bytes())))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    modules = [file for name in sorted(names) if (file := solution.with_name(f"{name}.py")).is_file()]
    for file in modules:
        draft.add(f"reference/{draft.id}-{file.name}", file)
    return [{"file": file.name, "source": f"{draft.id}-{file.name}"} for file in modules]


def _ignored(test: Test, text: str, outcome: Outcome) -> tuple[str, ...] | None:
    """Return what must be ignored for a sample to be what the solution prints; None if other differences remain."""
    for words in _IGNORED:
        policy = ComparisonPolicy(ignore=frozenset(map(IgnoredDifference, words)))
        if judge(replace(test, comparison=policy, expectation=FromReference()), text, outcome).divergence is None:
            return words
    return None


@dataclass(kw_only=True)
class _Session:
    """A sample that is followed: the lines typed so far, and how the solution differs from it."""

    run: Run
    sample: Sequence[str]
    first: int
    typed: list[str] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)
    is_cut: bool = False
    """True if the sample ends where the program asks for more."""

    def follow(self) -> None:
        """Type what the sample has after each prompt, until the program or the sample ends."""
        place = 0
        while len(self.typed) < _MOST_LINES_TYPED:
            outcome = self.run(self.typed)
            *printed, prompt = _new_text(outcome).split("\n")
            if outcome.ending is not Termination.ASKED_AGAIN:
                self._compare([*printed, prompt], place, len(self.sample))
                return
            at = self._place_of(prompt, place, place + len(printed))
            if at is None:
                self._compare(printed, place, len(self.sample))
                if place + len(printed) < len(self.sample):
                    where = self.first + min(place + len(printed), len(self.sample) - 1)
                    self.differences.append(f"from line {where} on, it was not followed: the program asks {prompt!r}")
                self.is_cut = True
                return
            self._compare(printed, place, at)
            line = self._typed(self.sample[at], prompt)
            place = at + 1
            if not line and place >= len(self.sample):
                self.is_cut = True
                return
            self.typed.append(line)

    def _place_of(self, prompt: str, place: int, likely: int) -> int | None:
        """Return the index of the line that begins with a prompt, the nearest to the likely one."""
        if not prompt.strip():
            return likely if likely < len(self.sample) else None
        indexes = [at for at in range(place, len(self.sample)) if self.sample[at].startswith(prompt.rstrip())]
        return min(indexes, key=lambda at: abs(at - likely), default=None)

    @staticmethod
    def _typed(line: str, prompt: str) -> str:
        typed = line.removeprefix(prompt) if line.startswith(prompt) else line.removeprefix(prompt.rstrip())
        return typed.strip()

    def _compare(self, printed: Sequence[str], begin: int, end: int) -> None:
        """Note where the solution prints something else than these lines of the sample, but for blanks."""
        there = [(at, " ".join(self.sample[at].split())) for at in range(begin, end) if self.sample[at].strip()]
        here = [" ".join(line.split()) for line in printed if line.strip()]
        matcher = SequenceMatcher(None, [text for _, text in there], here, autojunk=False)
        for kind, left, left_end, right, right_end in matcher.get_opcodes():
            if kind != "equal":
                at = there[left][0] if left < len(there) else end
                in_sample = [text for _, text in there[left:left_end]]
                sample, own = (" / ".join(texts) or "nothing" for texts in (in_sample, here[right:right_end]))
                self.differences.append(
                    f"line {self.first + at}: the sample has {sample!r}, the program prints {own!r}"
                )


def _new_text(outcome: Outcome) -> str:
    """Return what the program printed after the last line that was typed."""
    if not outcome.typed:
        return outcome.transcript
    last = outcome.typed[-1]
    return outcome.transcript[last.offset + len(last.text) :].removeprefix("\n")
