"""Makes an assignment from an exercise of TESTed: each of its test cases becomes a test."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path

from grader.config.yaml_writer import Writable
from grader.plugins.importing.course_draft import (
    AssignmentDraft,
    CourseDraft,
    ImportedAssignment,
    ImportingError,
    safe_name,
)
from grader.plugins.importing.programs import Labelled, ProgramSet, labelled_programs
from grader.plugins.importing.tested.exercise import Exercise, read_exercise
from grader.plugins.importing.tested.judging import OracleFiles, ended_otherwise, judged_call, judged_output
from grader.plugins.importing.tested.suite import (
    Code,
    Context,
    InexpressibleCaseError,
    InexpressibleCode,
    MainCall,
    OwnCode,
    OwnFile,
    Step,
    Suite,
    WantedFile,
)
from grader.plugins.importing.tested.target import CallWriter, InexpressibleLineError, Target, call_targets

_RIGHT = "correct"


@dataclass(frozen=True)
class SuiteChoice:
    """The chosen suite of an exercise, the program that gives the answers, and the language of calls.

    If they are None, the suite and the program are chosen by name, and the exercise states the language.
    """

    suite: str | None = None
    solution: str | None = None
    language: str | None = None


def import_tested(folder: Path, course: Path, *, name: str, due: date, choice: SuiteChoice) -> ImportedAssignment:
    """Make an assignment from an exercise. Raises ImportingError."""
    draft = CourseDraft(name, folder)
    exercise = read_exercise(folder)
    suite = exercise.suite(choice.suite, draft)
    target = _target(exercise, choice.language)
    further_files = _Beside.of(exercise, suite, target)
    programs = ProgramSet.of(
        _solutions(exercise, suite, target, draft),
        draft,
        right=_RIGHT,
        stem=target.stem(suite.namespace),
        language=target.source.with_usual_commands(target.settings),
        answers=choice.solution,
    )
    oracles = OracleFiles(exercise, draft, has_reference=programs.reference is not None)
    writer = _TestWriter(exercise=exercise, draft=draft, oracles=oracles, target=target, namespace=suite.namespace)
    tests = [entry for context in suite.contexts for entry in writer.entries(context)]
    if not tests:
        raise ImportingError("\n".join([f"{folder}: no test of the suite can be said here.", *draft.notes]))
    more = further_files.keys(draft)
    memory = programs.memory_bytes and max(programs.memory_bytes, 1 << 30)
    assignment = AssignmentDraft(
        draft=draft,
        title=exercise.title,
        program=programs.entry,
        further_files=programs.patterns,
        marks=Decimal(len(tests)),
        due=due,
        limits={"processes": 256, **({"memory_bytes": memory} if memory else {})},
        more=more,
    )
    assignment.add(tests, defaults={"visibility": "public", "points": "1"})
    return draft.write(course, len(tests))


def _target(exercise: Exercise, named: str | None) -> Target:
    """Return the language in which functions are called. Raises ImportingError for an unknown name."""
    targets = call_targets()
    if named is not None and named not in targets:
        raise ImportingError(f"Functions cannot be called in {named}; expected one of {', '.join(targets)}.")
    return targets.get(named or exercise.language, targets["python"])


@dataclass(frozen=True, kw_only=True)
class _Beside:
    """The files beside programs: files that the programs find at run time, and files that they are built with."""

    found: Sequence[tuple[str, Path]]
    built_with: Sequence[tuple[str, Path]]

    @classmethod
    def of(cls, exercise: Exercise, suite: Suite, target: Target) -> "_Beside":
        """Sort the files of an exercise by use: our commands only build a program if its functions are called."""
        files = exercise.files_beside()
        built_with = [] if suite.calls_nothing else [file for file in files if target.built_with(file[0])]
        return cls(found=[file for file in files if file not in built_with], built_with=built_with)

    def keys(self, draft: CourseDraft) -> dict[str, Writable]:
        """Put the files into the draft, and return the keys that name them in assignment.yaml."""
        for path, file in self.found:
            draft.add_own(f"files/{path}", file)
        for path, file in self.built_with:
            draft.add(f"reference/{draft.id}-{path}", file)
        keys: dict[str, Writable] = {"files": [path for path, _ in self.found]} if self.found else {}
        provided: list[Writable] = [{"file": path, "source": f"{draft.id}-{path}"} for path, _ in self.built_with]
        return {**keys, **({"provided": provided} if provided else {})}


def _solutions(exercise: Exercise, suite: Suite, target: Target, draft: CourseDraft) -> list[Labelled]:
    """Return the programs in the languages that the tests support."""
    programs = labelled_programs(exercise.solutions(), draft)
    if suite.calls_nothing:
        return programs
    possible = [
        labelled.with_usual_commands(target.settings)
        for labelled in programs
        if labelled.program.language.name == target.name
    ]
    for labelled in programs:
        if labelled.program.language.name != target.name:
            name = f"{labelled.label}/{labelled.program.name}"
            draft.note(f"{name}: not imported; the functions are called in {target.name} (--language).")
    return possible


@dataclass(kw_only=True)
class _TestWriter:
    """A writer of tests with unique names, made from contexts."""

    exercise: Exercise
    draft: CourseDraft
    oracles: OracleFiles
    target: Target
    namespace: str
    _count: dict[str, int] = field(default_factory=dict)

    def entries(self, context: Context) -> Iterator[dict[str, Writable]]:
        """Yield the tests of a context. A step that cannot be expressed is noted and left out."""
        calls = self.target.calls(self.namespace)
        typed: str | OwnFile = ""
        is_tested = False
        for number, step in enumerate(context.steps, 1):
            try:
                keys = self._keys(step, calls, typed)
                if not _is_mere_statement(step, context, is_tested=is_tested):
                    yield self._entry(context, step, keys)
                    is_tested = is_tested or not isinstance(step.action, MainCall)
            except InexpressibleCaseError as error:
                self.draft.note(f"A test case of the tab {context.tab!r} ({_words(step)}) was not imported: {error}.")
                if isinstance(error, InexpressibleLineError) and error.is_statement:
                    self.draft.note(f"Nor were those that come after it there ({len(context.steps) - number}).")
                    return
            if isinstance(step.action, MainCall):
                typed = step.action.stdin

    def _keys(self, step: Step, calls: CallWriter, typed: str | OwnFile) -> dict[str, Writable]:
        """Return the keys of a test for an action and its expected results. Raises InexpressibleCaseError."""
        match step.action:
            case MainCall():
                _refuse_inexpressible(step)
                return self._started(step, step.action)
            case Code() | OwnCode():
                text = self.target.text(step.action, calls)
                try:
                    _refuse_inexpressible(step)
                    judged = {} if calls.is_statement(text) else judged_call(step, self.target, self.oracles)
                    return {**calls.keys(text, typed), **judged}
                finally:
                    calls.add(text, may_raise=step.error is not None)
            case InexpressibleCode(why):
                raise InexpressibleCaseError(why)

    def _entry(self, context: Context, step: Step, keys: Mapping[str, Writable]) -> dict[str, Writable]:
        tab = safe_name(context.tab.lower())[:80]
        self._count[tab] = self._count.get(tab, 0) + 1
        test_id = f"{tab}-{self._count[tab]}"
        entry: dict[str, Writable] = {"id": test_id}
        if step.title:
            entry["title"] = " ".join(step.title.split())
        entry |= keys
        # Lines of earlier steps are run again, and lines of later steps may be present too.
        files_of_test = {file.name: file for earlier in context.steps for file in earlier.input_files}
        files_of_test |= {file.name: file for file in step.input_files}
        if files_of_test:
            entry["files"] = {file.name: self._course_file(test_id, file) for file in files_of_test.values()}
        if step.output_files:
            entry["written_files"] = [file.name for file in step.output_files]
            self.draft.note("What programs must write is compared with what the reference writes, not with the suite.")
        return entry

    def _started(self, step: Step, action: MainCall) -> dict[str, Writable]:
        """Return the keys of a test that starts the program."""
        keys: dict[str, Writable] = {}
        if isinstance(action.stdin, OwnFile):
            name = safe_name(action.stdin.path.replace("/", "-"))
            self.draft.add_own(f"inputs/{name}", self.exercise.file(action.stdin))
            keys["stdin"] = name
        else:
            keys["stdin_text"] = action.stdin
        if action.stdin and self.target.key == "python":
            self.draft.note("The prompts of `input` are part of the output here; TESTed hides them.")
        if action.arguments:
            keys["args"] = list(action.arguments)
        return {**keys, **judged_output(step, self.oracles), **ended_otherwise(step)}

    def _course_file(self, test: str, file: WantedFile) -> str:
        path = f"{test}/{file.name}"
        content = self.exercise.file(file.content) if isinstance(file.content, OwnFile) else file.content
        self.draft.add_own(f"files/{path}", content)
        return path


def _is_mere_statement(step: Step, context: Context, *, is_tested: bool) -> bool:
    """Return whether a step only prepares other steps: it has no stated result, and other steps are tests."""
    says = step.stdout or step.stderr or step.error or step.output_files
    is_statement = isinstance(step.action, Code | OwnCode) and step.action.is_statement
    return is_statement and not says and (is_tested or step is not context.steps[-1])


def _refuse_inexpressible(step: Step) -> None:
    if step.unsaid:
        raise InexpressibleCaseError(", ".join(step.unsaid))


def _words(step: Step) -> str:
    match step.action:
        case Code(text):
            return text
        case OwnCode(texts):
            return next(iter(texts.values()))
        case MainCall(_, arguments):
            return " ".join(["the program", *arguments])
        case InexpressibleCode():
            return "code"
