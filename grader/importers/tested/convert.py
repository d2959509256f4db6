"""Makes an assignment of an exercise of TESTed: each of its test cases is a test."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import assert_never

from grader.config.yaml_writer import Writable
from grader.importers.course_draft import AssignmentDraft, CourseDraft, ImportedAssignment, ImportingError, safe_name
from grader.importers.programs import PYTHON, Labelled, ProgramSet, labelled_programs
from grader.importers.tested.exercise import Exercise, read_exercise
from grader.importers.tested.judging import OracleFiles, ended_otherwise, judged_call, judged_output
from grader.importers.tested.suite import Code, Context, MainCall, OtherCode, OwnFile, Step, UnsaidError, WantedFile

_STEM = "submission"
_RIGHT = "correct"


@dataclass(frozen=True)
class SuiteChoice:
    """Which suite of an exercise is meant, and which program answers; None leaves it to their names."""

    suite: str | None = None
    solution: str | None = None


def import_tested(folder: Path, course: Path, *, name: str, due: date, choice: SuiteChoice) -> ImportedAssignment:
    """Make an assignment of an exercise. Raises ImportingError."""
    draft = CourseDraft(name, folder)
    exercise = read_exercise(folder)
    contexts = exercise.contexts(choice.suite, draft)
    solutions = _solutions(exercise, contexts, draft)
    programs = ProgramSet.of(solutions, draft, right=_RIGHT, stem=_STEM, answers=choice.solution)
    oracles = OracleFiles(exercise, draft, has_reference=programs.reference is not None)
    writer = _TestWriter(exercise, draft, oracles)
    tests = [entry for context in contexts for entry in writer.entries(context)]
    if not tests:
        raise ImportingError("\n".join([f"{folder}: no test of the suite can be said here.", *draft.notes]))
    for path, file in exercise.beside():
        draft.add_own(f"files/{path}", file)
    memory = programs.memory_bytes and max(programs.memory_bytes, 1 << 30)
    assignment = AssignmentDraft(
        draft=draft,
        title=exercise.title,
        program=programs.entry,
        further_files=programs.patterns,
        marks=Decimal(len(tests)),
        due=due,
        limits={"processes": 256, **({"memory_bytes": memory} if memory else {})},
        more={"files": [path for path, _ in exercise.beside()]} if exercise.beside() else {},
    )
    assignment.add(tests, defaults={"visibility": "public", "points": "1"})
    return draft.write(course, len(tests))


def _solutions(exercise: Exercise, contexts: Sequence[Context], draft: CourseDraft) -> list[Labelled]:
    """The programs in languages that the tests are for."""
    found = labelled_programs(exercise.solutions(), draft)
    if all(isinstance(step.action, MainCall) for context in contexts for step in context.steps):
        return found
    for one in found:
        if one.program.language is not PYTHON:
            draft.note(f"{one.label}/{one.program.name}: not imported; tests of functions are made for Python alone.")
    return [one for one in found if one.program.language is PYTHON]


@dataclass
class _TestWriter:
    """Makes tests of contexts, with names of their own."""

    exercise: Exercise
    draft: CourseDraft
    oracles: OracleFiles
    _count: dict[str, int] = field(default_factory=dict)

    def entries(self, context: Context) -> Iterator[dict[str, Writable]]:
        """The tests of a context. A step that cannot be said is noted, and left out."""
        before: list[str] = []
        typed: str | OwnFile = ""
        is_tested = False
        for step in context.steps:
            try:
                keys = self._keys(step, before, typed)
                if not _is_mere_statement(step, context, is_tested=is_tested):
                    yield self._entry(context, step, keys)
                    is_tested = isinstance(step.action, Code)
            except UnsaidError as error:
                self.draft.note(f"A test case of the tab {context.tab!r} ({_words(step)}) was not imported: {error}.")
            if isinstance(step.action, Code):
                before.append(_prepared(step, step.action))
            if isinstance(step.action, MainCall):
                typed = step.action.stdin

    def _keys(self, step: Step, before: Sequence[str], typed: str | OwnFile) -> dict[str, Writable]:
        """What is done in a step, and what must come of it. Raises UnsaidError."""
        if step.unsaid:
            raise UnsaidError(", ".join(step.unsaid))
        match step.action:
            case MainCall():
                return self._started(step, step.action)
            case Code():
                return judged_call(step, step.action, before, typed, self.oracles)
            case OtherCode(why):
                raise UnsaidError(why)
            case _:
                assert_never(step.action)

    def _entry(self, context: Context, step: Step, keys: Mapping[str, Writable]) -> dict[str, Writable]:
        tab = safe_name(context.tab.lower())[:80]
        self._count[tab] = self._count.get(tab, 0) + 1
        own = f"{tab}-{self._count[tab]}"
        entry: dict[str, Writable] = {"id": own}
        if step.title:
            entry["title"] = " ".join(step.title.split())
        entry |= keys
        # Lines of earlier steps are run again, and those of later ones may be there too.
        beside = {one.name: one for other in context.steps for one in other.input_files}
        beside |= {one.name: one for one in step.input_files}
        if beside:
            entry["files"] = {one.name: self._course_file(own, one) for one in beside.values()}
        if step.output_files:
            entry["written_files"] = [one.name for one in step.output_files]
            self.draft.note("What programs must write is compared with what the reference writes, not with the suite.")
        return entry

    def _started(self, step: Step, action: MainCall) -> dict[str, Writable]:
        """The keys of a test that starts the program."""
        keys: dict[str, Writable] = {}
        if isinstance(action.stdin, OwnFile):
            name = safe_name(action.stdin.path.replace("/", "-"))
            self.draft.add_own(f"inputs/{name}", self.exercise.file(action.stdin))
            keys["stdin"] = name
        else:
            keys["stdin_text"] = action.stdin
        if action.arguments:
            keys["args"] = list(action.arguments)
        return {**keys, **judged_output(step, self.oracles), **ended_otherwise(step)}

    def _course_file(self, test: str, wanted: WantedFile) -> str:
        path = f"{test}/{wanted.name}"
        content = self.exercise.file(wanted.content) if isinstance(wanted.content, OwnFile) else wanted.content
        self.draft.add_own(f"files/{path}", content)
        return path


def _is_mere_statement(step: Step, context: Context, *, is_tested: bool) -> bool:
    """Whether a step only prepares others: nothing is said of what comes of it, and others are tests."""
    says = step.stdout or step.stderr or step.error or step.output_files
    is_statement = isinstance(step.action, Code) and step.action.is_statement
    return is_statement and not says and (is_tested or step is not context.steps[-1])


def _prepared(step: Step, action: Code) -> str:
    """The line of a step as what later ones build on: an exception that belongs to it must not end them."""
    if step.error is None:
        return action.source
    return f"with contextlib.suppress(BaseException): {action.source}"


def _words(step: Step) -> str:
    match step.action:
        case Code(source):
            return source
        case MainCall(_, arguments):
            return " ".join(["the program", *arguments])
        case _:
            return "code"
