"""Loads an assignment folder: assignment.yaml and tests/*.yaml, checked one by one and against each other.

test_specs/ID/assignment.yaml
test_specs/ID/tests/*.yaml
test_specs/ID/expected/TEST.VARIANT.txt     (see grader.expected)
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from grader.spec.assignment import Assignment, FallingCap, Part, Program, Recipe, Start, Test
from grader.spec.document import Document, Steps, read_document
from grader.spec.files import AssignmentFile, LateEntry, ProgramEntry, TestsFile
from grader.spec.limits import BUILD_LIMITS, Limits
from grader.spec.loops import tests_of
from grader.spec.problem import Place, Problem, SpecError, nearest, quoted
from grader.spec.validate import validate


@dataclass(frozen=True)
class _PlacedTest:
    test: Test
    document: Document
    steps: Steps

    def problem(self, key: str, message: str) -> Problem:
        return Problem(self.document.place((*self.steps, key)), message)


def load_assignment(folder: Path, references: Path) -> Assignment:
    """Load the assignment in `folder`; its references are in `references`.

    Raises SpecError with every problem of all its files.
    """
    problems: list[Problem] = []
    in_tests: list[Problem] = []
    main = _load_main(folder, problems)
    placed = list(_load_tests(folder, in_tests))
    in_tests += _repeated_tests(placed)
    if main:
        document, content = main
        problems += _cross_check(folder, document, content)
        in_tests += _unknown_names(content, placed)
        in_tests += _prompts_without_python(content, placed)
        # While tests are faulty, a sum of points without theirs says nothing.
        problems += in_tests or _points_problems(document, content, placed)
    else:
        problems += in_tests
    if problems or not main:
        raise SpecError(problems)
    return _assemble(folder, references, main[1], placed)


def _load_main(folder: Path, problems: list[Problem]) -> tuple[Document, AssignmentFile] | None:
    try:
        document = read_document(folder / "assignment.yaml")
        return document, validate(document, AssignmentFile)
    except SpecError as error:
        problems += error.problems
        return None


def _load_tests(folder: Path, problems: list[Problem]) -> Iterator[_PlacedTest]:
    files = sorted(file for file in (folder / "tests").glob("*.yaml") if not file.name.startswith("."))
    if not files:
        problems.append(Problem(Place(folder / "tests", 1, 1), "found no *.yaml file; expected the tests here"))
    for file in files:
        try:
            document = read_document(file)
            content = validate(document, TestsFile)
            for test, steps in tests_of(content, document):
                yield _PlacedTest(test, document, steps)
        except SpecError as error:
            problems += error.problems


def _cross_check(folder: Path, document: Document, content: AssignmentFile) -> Iterator[Problem]:
    if content.id != folder.name:
        message = f"found the id `{content.id}`; expected the name of the folder, `{folder.name}`"
        yield Problem(document.place(("id",)), message)
    yield from _repeated(document, "programs", "file", [program.file for program in content.programs])
    yield from _repeated(document, "parts", "id", [part.id for part in content.parts])


def _repeated(document: Document, key: str, name: str, values: list[str]) -> Iterator[Problem]:
    for index, value in enumerate(values):
        if value in values[:index]:
            yield Problem(document.place((key, index, name)), f"{quoted(value)} is given twice")


def _unknown_names(content: AssignmentFile, placed: Iterable[_PlacedTest]) -> Iterator[Problem]:
    programs = [program.file for program in content.programs]
    parts = [part.id for part in content.parts]
    for document in {item.document.file: item.document for item in placed}.values():
        for key, known in (("program", programs), ("part", parts)):
            name = document.data[key] if isinstance(document.data, dict) else ""
            if name not in known:
                message = f"there is no {key} {quoted(str(name))} in assignment.yaml{nearest(str(name), known)}"
                yield Problem(document.place((key,)), message)


def _prompts_without_python(content: AssignmentFile, placed: Iterable[_PlacedTest]) -> Iterator[Problem]:
    run = {program.file: program.run for program in content.programs}
    for item in placed:
        command = run.get(item.test.program)
        if command and item.test.start is Start.PROMPT:
            message = f"`{item.test.program}` is run by {quoted(' '.join(command))}; only Python has a prompt"
            yield item.problem("prompt", message)


def _repeated_tests(placed: Iterable[_PlacedTest]) -> Iterator[Problem]:
    first: dict[str, _PlacedTest] = {}
    for item in placed:
        earlier = first.setdefault(item.test.id, item)
        if earlier is not item:
            where = earlier.document.place(earlier.steps)
            yield item.problem("id", f"there is another test with the id `{item.test.id}` ({where})")


def _points_problems(document: Document, content: AssignmentFile, placed: list[_PlacedTest]) -> Iterator[Problem]:
    for index, part in enumerate(content.parts):
        total = sum((item.test.points for item in placed if item.test.part == part.id), Decimal(0))
        if total != part.marks:
            message = f"the tests of `{part.id}` give {total} points together; expected its marks, {part.marks}"
            yield Problem(document.place(("parts", index, "marks")), message)


def _assemble(folder: Path, references: Path, content: AssignmentFile, placed: Iterable[_PlacedTest]) -> Assignment:
    recipes = {entry.file: _recipe(content, entry) for entry in content.programs}
    return Assignment(
        id=content.id,
        title=content.title,
        folder=folder,
        programs=tuple(
            Program(entry.file, references / (entry.reference or entry.file), entry.variants)
            for entry in content.programs
        ),
        parts=tuple(Part(entry.id, entry.title, entry.marks) for entry in content.parts),
        due=content.due.replace(tzinfo=content.time_zone),
        late=_late(content.late),
        limits=Limits(**content.limits.model_dump(exclude_none=True)),
        isolation=content.isolation,
        tests=tuple(replace(item.test, recipe=recipes[item.test.program]) for item in placed),
    )


def _recipe(content: AssignmentFile, entry: ProgramEntry) -> Recipe | None:
    if entry.run is None:
        return None
    limits = replace(BUILD_LIMITS, **content.build_limits.model_dump(exclude_none=True))
    return Recipe(entry.build, entry.run, limits)


def _late(entry: LateEntry | None) -> FallingCap | None:
    return FallingCap(entry.percent_per_day, entry.days) if entry else None
