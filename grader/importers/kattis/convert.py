"""Makes an assignment of a problem package."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from math import ceil
from pathlib import Path

from grader.config.yaml_writer import Writable
from grader.importers.assignment_entry import PART, AssignmentDraft, test_files
from grader.importers.course_draft import CourseDraft, ImportedAssignment, ImportingError, files_in
from grader.importers.kattis.grading import CountedCases, counted_cases
from grader.importers.kattis.problem import Problem, read_problem
from grader.importers.kattis.test_data import Case, read_test_data
from grader.importers.kattis.validators import Judging
from grader.importers.programs import ProgramSet, labelled_programs

_ACCEPTED = "accepted"
_USUAL_SECONDS = 10
_READ = ("problem.yaml", ".timelimit", "data", "submissions", "output_validators", "output_validator")
_STATEMENTS = ("problem_statement", "statement", "solution", "attachments", "input_validators", "input_visualizer")


def import_kattis(package: Path, course: Path, *, id: str, due: date) -> ImportedAssignment:
    """Make an assignment of a problem package. Raises ImportingError, or SpecError where a file is no YAML."""
    draft = CourseDraft(id, package)
    problem = read_problem(package, draft)
    root = read_test_data(problem, draft)
    if not any(True for _ in root.all_cases()):
        raise ImportingError(f"{package} has no test cases: pairs of NAME.in and NAME.ans in data/.")
    programs = _programs(package, draft)
    groups = counted_cases(problem, root, draft)
    judging = Judging(problem, draft)
    tests = [entry for group in groups for entry in _TestsOf(problem, draft, judging, group).entries()]
    _note_the_rest(package, draft)
    assignment = AssignmentDraft(
        draft=draft,
        title=problem.name,
        programs=programs,
        marks=sum((group.points for group in groups), Decimal(0)),
        due=due,
        limits=_limits(problem, programs, draft),
        more=_building(problem),
    )
    assignment.add(tests, [group.entry(PART) for group in groups if group.points])
    return draft.write(course, len(tests))


def _programs(package: Path, draft: CourseDraft) -> ProgramSet:
    folders = sorted(path for path in (package / "submissions").glob("*") if path.is_dir())
    found = [(folder.name, path) for folder in folders for path in sorted(folder.iterdir())]
    return ProgramSet.of(labelled_programs(found, draft), draft, right=_ACCEPTED)


@dataclass(frozen=True)
class _TestsOf:
    """The tests of a group."""

    problem: Problem
    draft: CourseDraft
    judging: Judging
    group: CountedCases

    def entries(self) -> Iterable[dict[str, Writable]]:
        """A test for each case."""
        for case in self.group.cases:
            yield self._entry(case)

    def _entry(self, case: Case) -> dict[str, Writable]:
        entry: dict[str, Writable] = {"id": case.id}
        if case.title:
            entry["title"] = case.title
        if case.is_sample:
            entry["visibility"] = "public"
        entry |= {"group": self.group.id} if self.group.points else {"points": "0"}
        if self.group.requires:
            entry["requires"] = list(self.group.requires)
        if case.args:
            entry["args"] = list(case.args)
        if case.files:
            entry["files"] = test_files(self.draft, case.id, case.files)
        if not self.problem.is_interactive:
            entry |= self._given(case)
        return {**entry, **self.judging.keys(case, self._highest())}

    def _given(self, case: Case) -> dict[str, Writable]:
        if case.input is None:
            return {"stdin_text": ""}
        self.draft.add_own(f"inputs/{case.id}.in", case.input)
        return {"stdin": f"{case.id}.in"}

    def _highest(self) -> str:
        """The score of a case that earns all its points, where a validator gives scores."""
        if not self.problem.is_scoring:
            return ""
        share = len(self.group.cases) if self.group.count == "sum" else 1
        return f"{self.group.points / share:f}" if self.group.points else ""


def _limits(problem: Problem, programs: ProgramSet, draft: CourseDraft) -> dict[str, Writable]:
    seconds = problem.time_limit
    if seconds is None:
        seconds = _USUAL_SECONDS
        draft.note(f"The package states no time limit, which its judge would work out; here it is {seconds} seconds.")
    memory = max(problem.memory_bytes, programs.memory_bytes)
    if memory > problem.memory_bytes:
        draft.note(f"The memory limit of {problem.memory} MiB is {memory >> 20} MiB here, which the languages need.")
    return {
        "wall_seconds": f"{2 * seconds + 1:g}",
        "cpu_seconds": ceil(seconds),
        "memory_bytes": memory,
        "output_bytes": problem.output_bytes,
        "processes": 256,
    }


def _building(problem: Problem) -> dict[str, Writable]:
    return {"build_limits": {"wall_seconds": f"{problem.compilation_time:g}"}} if problem.compilation_time else {}


def _note_the_rest(package: Path, draft: CourseDraft) -> None:
    for path in sorted(package.iterdir()):
        if path.name in _STATEMENTS and path.is_dir():
            count = sum(1 for _ in files_in(path))
            draft.note(f"{path.name}/: not imported ({count} files); it is not needed to grade.")
        elif path.name not in _READ:
            draft.note(f"{path.name}: not imported.")


