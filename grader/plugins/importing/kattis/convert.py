"""Makes an assignment from a problem package: its points, its judge and its tests."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from math import ceil
from pathlib import Path

from grader.config.yaml_writer import Writable
from grader.plugins.importing.course_draft import (
    PART,
    AssignmentDraft,
    CourseDraft,
    ImportedAssignment,
    ImportingError,
    files_in,
    test_files,
)
from grader.plugins.importing.kattis.package import Case, Group, KattisProblem, case_id, read_problem, read_test_data
from grader.plugins.importing.programs import ProgramSet, labelled_programs

_AGGREGATIONS = ("sum", "min", "max", "avg")
_COUNTS = {"sum": "sum", "avg": "sum", "min": "least", "max": "best", "pass-fail": "all"}
_UNBOUNDED = "unbounded"
_TEMPLATES = Path(__file__).parents[1] / "templates"
_PROGRAMS = "kattis_programs"
"""The folder beside checkers or interactors that holds validators and the modules that start them."""
_RUNNABLE = (".cc", ".cpp", ".cxx", ".C", ".c++", ".c", ".py", ".py3")
_ACCEPTED = "accepted"
_USUAL_SECONDS = 10
_READ = ("problem.yaml", ".timelimit", "data", "submissions", "output_validators", "output_validator")
_STATEMENTS = ("problem_statement", "statement", "solution", "attachments", "input_validators", "input_visualizer")


@dataclass(frozen=True, kw_only=True)
class CountedCases:
    """Cases that count together; without points, they are shown but do not count. `requires` holds ids of cases."""

    id: str
    title: str
    points: Decimal
    count: str
    cases: tuple[Case, ...]
    requires: tuple[str, ...] = ()

    def entry(self, part: str) -> dict[str, Writable]:
        """Return the cases as a group in the form of assignment.yaml."""
        return {"id": self.id, "title": self.title, "part": part, "points": f"{self.points:f}", "count": self.count}


def counted_cases(problem: KattisProblem, root: Group, draft: CourseDraft) -> tuple[CountedCases, ...]:
    """Group the cases by how they count. Without scores, all cases must pass to earn the only point."""
    if not problem.is_scoring:
        cases = tuple(root.all_cases())
        whole = CountedCases(id="accepted", title="all test cases", points=Decimal(1), count="all", cases=cases)
        return (whole,)
    scored = tuple(_scored(problem, group, root, draft) for group in root.all_groups() if group.cases)
    _note_groups_of_groups(root, draft)
    return scored


def _range_of_scores(problem: KattisProblem, group: Group, root: Group) -> Decimal | None:
    """Return the highest score in a group's `range`, if its validator gives scores and its accepted cases do not.

    Groups without a `range` of their own share the range of the root.
    """
    score_range = group.settings.get("range")
    highest = _decimal((str(score_range or "").split() or [""])[-1], Decimal(0))
    stated = "accept_score" in group.settings or _has_new_keys(group)
    if not problem.validator_scores or stated or not highest.is_finite() or highest <= 0:
        return None
    shares = [member for member in root.all_groups() if member.cases and not _is_free(problem, member, root)]
    sharing = [member for member in shares if member.settings.get("range") == root.settings.get("range")]
    return highest / len(sharing) if group in sharing else highest


def _is_free(problem: KattisProblem, group: Group, root: Group) -> bool:
    """Return whether a group of samples earns nothing, which a legacy package or a group with new keys must state."""
    if not problem.is_legacy and not _has_new_keys(group):
        return group.path.startswith("sample")
    return "ignore_sample" in str(root.settings.get("grader_flags", "")).split() and group.path.startswith("sample")


def _scored(problem: KattisProblem, group: Group, root: Group, draft: CourseDraft) -> CountedCases:
    flags = str(group.settings.get("grader_flags", "")).split()
    points, count = _new_score(group, draft) if _has_new_keys(group) else _legacy_score(group, flags, draft)
    highest = _range_of_scores(problem, group, root)
    if highest is not None:
        points = highest
        draft.note(f"data/{group.path}: by its `range`, a score of {points:f} earns all points.")
    return CountedCases(
        id=case_id(f"group/{group.path}"),
        title=group.path,
        points=Decimal(0) if _is_free(problem, group, root) else points,
        count=count,
        cases=group.cases,
        requires=tuple(_required(group, root)),
    )


def _has_new_keys(group: Group) -> bool:
    return not {"max_score", "score_aggregation", "require_pass"}.isdisjoint(group.settings)


def _new_score(group: Group, draft: CourseDraft) -> tuple[Decimal, str]:
    score = str(group.settings.get("max_score", "0"))
    if score == _UNBOUNDED:
        draft.note(f"data/{group.path}: the score has no bound; here it counts 100 points.")
        score = "100"
    default = "sum" if group.path == "secret" else "pass-fail"
    return Decimal(score), _COUNTS[str(group.settings.get("score_aggregation", default))]


def _legacy_score(group: Group, flags: Sequence[str], draft: CourseDraft) -> tuple[Decimal, str]:
    """Return the score of a group, where each accepted case gives `accept_score` and a flag says how they add up."""
    settings = group.settings
    kind = next((flag for flag in reversed(flags) if flag in _AGGREGATIONS), "sum")
    each = _decimal(settings.get("accept_score"), Decimal(1))
    if _decimal(settings.get("reject_score"), Decimal(0)):
        draft.note(f"data/{group.path}: `reject_score` was not imported: a test that fails earns nothing.")
    if settings.get("grading") == "custom":
        draft.note(f"data/{group.path}: the custom grader was not imported; the scores of the cases are added up.")
    if kind == "sum" and settings.get("on_reject", "break") == "break" and len(group.cases) > 1:
        draft.note(f"data/{group.path}: `on_reject: break` was not imported: tests after one that fails count too.")
    return each * (len(group.cases) if kind == "sum" else 1), _COUNTS[kind]


def _decimal(value: object, default: Decimal) -> Decimal:
    try:
        return Decimal(str(value)) if value not in (None, "") else default
    except InvalidOperation:
        return default


def _required(group: Group, root: Group) -> Iterator[str]:
    paths = group.settings.get("require_pass") or []
    for path in [paths] if isinstance(paths, str) else paths:
        for candidate in root.all_groups():
            if path in (candidate.path, candidate.path.removeprefix("secret/")):
                yield from (case.id for case in candidate.all_cases())


def _note_groups_of_groups(root: Group, draft: CourseDraft) -> None:
    """Note the groups whose scores should not be added up."""
    for group in root.all_groups():
        flags = {*str(group.settings.get("grader_flags", "")).split(), str(group.settings.get("score_aggregation", ""))}
        kinds = flags & {"min", "max", "avg"}
        if kinds and len(group.groups) > 1:
            draft.note(f"data/{group.path}: the scores of its groups are added up, though `{kinds.pop()}` was said.")
    draft.note("What `grader_flags` says of verdicts was not imported: here marks count, not one verdict for all.")


class Judging:
    """The judge of a problem, added to the course, and the keys with which a test selects the judge."""

    def __init__(self, problem: KattisProblem, draft: CourseDraft) -> None:
        """Add the judge to the draft. Raises ImportingError if the validator cannot be run here."""
        self._problem, self._draft = problem, draft
        self._home = "interactors" if problem.is_interactive else "checkers"
        self._validator = f"{_PROGRAMS}/{draft.id}"
        if problem.validator is None:
            if problem.is_interactive:
                raise ImportingError(f"{problem.folder}: an interactive problem needs an output validator.")
            draft.add("checkers/kattis_tokens.py", _TEMPLATES / "kattis_tokens.py.txt")
            return
        _refuse_unknown_language(problem.validator)
        draft.add_folder(f"{self._home}/{self._validator}", problem.validator)
        for module in ("build", "feedback"):
            draft.add(f"{self._home}/{_PROGRAMS}/{module}.py", _TEMPLATES / f"kattis_{module}.py.txt")
        name, template = (
            ("kattis_interactor", "kattis_interactor.py.txt")
            if problem.is_interactive
            else ("kattis_validator", "kattis_validator.py.txt")
        )
        draft.add(f"{self._home}/{name}.py", _TEMPLATES / template)

    def keys(self, case: Case, highest: str) -> Mapping[str, Writable]:
        """Return the judging keys of a test; `highest` is the score that earns all points, if any."""
        answer = f"kattis_data/{self._draft.id}/{case.id}.ans"
        self._draft.add(f"{self._home}/{answer}", case.answer)
        flags = {"flags": " ".join(case.flags)} if case.flags else {}
        scored = {"highest": highest} if highest else {}
        if self._problem.is_interactive:
            given = f"kattis_data/{self._draft.id}/{case.id}.in"
            self._draft.add(f"{self._home}/{given}", case.input or b"")
            options = {"validator": self._validator, "input": given, "answer": answer, **flags, **scored}
            return {"interactor": "kattis_interactor", "interactor_options": options, "through": "pipes"}
        if self._problem.validator is None:
            return {"checker": "kattis_tokens", "checker_options": {"answer": answer, **flags}}
        options = {"validator": self._validator, "answer": answer, **flags, **scored}
        return {"checker": "kattis_validator", "checker_options": options}


def _refuse_unknown_language(validator: Path) -> None:
    names = [validator.name] if validator.is_file() else [name for name, _ in files_in(validator)]
    scripts = {"build", "run"}.intersection(names)
    if scripts or not any(Path(name).suffix in _RUNNABLE for name in names):
        raise ImportingError(
            f"{validator}: an output validator in C, C++ or Python can be imported; this one is in another language, "
            "or has a script that builds it."
        )


def import_kattis(package: Path, course: Path, *, name: str, due: date) -> ImportedAssignment:
    """Make an assignment from a problem package. Raises ImportingError, or SpecError if a file is not YAML."""
    draft = CourseDraft(name, package)
    problem = read_problem(package, draft)
    root = read_test_data(problem, draft)
    if not any(True for _ in root.all_cases()):
        raise ImportingError(f"{package} has no test cases: pairs of NAME.in and NAME.ans in data/.")
    programs = _programs(problem, draft)
    groups = counted_cases(problem, root, draft)
    judging = Judging(problem, draft)
    tests = [entry for group in groups for entry in _TestsOf(problem, draft, judging, group).entries()]
    _note_the_rest(package, draft)
    assignment = AssignmentDraft(
        draft=draft,
        title=problem.name,
        program=programs.entry,
        further_files=programs.patterns,
        marks=sum((group.points for group in groups), Decimal(0)),
        due=due,
        limits=_limits(problem, programs, draft),
        more=_building(problem),
    )
    assignment.add(tests, [group.entry(PART) for group in groups if group.points])
    return draft.write(course, len(tests))


def _programs(problem: KattisProblem, draft: CourseDraft) -> ProgramSet:
    folders = sorted(path for path in (problem.folder / "submissions").glob("*") if path.is_dir())
    labelled_paths = [(folder.name, path) for folder in folders for path in sorted(folder.iterdir())]
    return ProgramSet.of(labelled_programs(labelled_paths, draft), draft, right=_ACCEPTED, memory=problem.memory)


@dataclass(frozen=True)
class _TestsOf:
    """The tests of a group."""

    problem: KattisProblem
    draft: CourseDraft
    judging: Judging
    group: CountedCases

    def entries(self) -> Iterable[dict[str, Writable]]:
        """Yield a test for each case."""
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
        """Return the score with which a case earns all its points, or an empty text without scores."""
        if not self.problem.is_scoring:
            return ""
        share = len(self.group.cases) if self.group.count == "sum" else 1
        return f"{self.group.points / share:f}" if self.group.points else ""


def _limits(problem: KattisProblem, programs: ProgramSet, draft: CourseDraft) -> dict[str, Writable]:
    seconds = problem.time_limit
    if seconds is None:
        seconds = _USUAL_SECONDS
        draft.note(f"The package states no time limit, which its judge would work out; here it is {seconds} seconds.")
    memory = problem.memory_bytes + programs.memory_bytes
    if programs.memory_bytes:
        draft.note(f"The memory limit of {problem.memory} MiB is {memory >> 20} MiB here, which the languages need.")
    return {
        "wall_seconds": f"{2 * seconds + 1:g}",
        "cpu_seconds": ceil(seconds),
        "memory_bytes": memory,
        "output_bytes": problem.output_bytes,
        "processes": 256,
    }


def _building(problem: KattisProblem) -> dict[str, Writable]:
    return {"build_limits": {"wall_seconds": f"{problem.compilation_time:g}"}} if problem.compilation_time else {}


def _note_the_rest(package: Path, draft: CourseDraft) -> None:
    for path in sorted(package.iterdir()):
        if path.name in _STATEMENTS and path.is_dir():
            count = sum(1 for _ in files_in(path))
            draft.note(f"{path.name}/: not imported ({count} files); it is not needed to grade.")
        elif path.name not in _READ:
            draft.note(f"{path.name}: not imported.")
