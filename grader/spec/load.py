"""Loads an assignment folder: assignment.yaml and tests/*.yaml, checked one by one and against each other.

test_specs/ID/assignment.yaml
test_specs/ID/tests/*.yaml
test_specs/ID/expected/TEST.VARIANT.txt     (see grader.expected)
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from grader.spec.assignment import (
    Alternative,
    Assignment,
    ManualItem,
    Part,
    Program,
    Provided,
    Recipe,
    Start,
    Test,
    Visibility,
)
from grader.spec.comparison import EXACT, Comparison, cannot_be_sealed
from grader.spec.document import Document, Steps, read_document
from grader.spec.files import (
    AlternativeEntry,
    AssignmentFile,
    PartEntry,
    ProgramEntry,
    ProvidedEntry,
    RuleEntry,
    TestsFile,
)
from grader.spec.function_call import CardsModule
from grader.spec.late import NO_TERMS
from grader.spec.limits import BUILD_LIMITS, Limits
from grader.spec.loops import tests_of
from grader.spec.moment import latest_moment
from grader.spec.plain import holds_cards
from grader.spec.problem import Place, Problem, SpecError, nearest, quoted
from grader.spec.rules import Rule
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
    compare = main[1].compare.comparison() if main else EXACT
    placed = list(_load_tests(folder, compare, in_tests))
    in_tests += _repeated_tests(placed)
    if main:
        document, content = main
        problems += _cross_check(folder, document, content)
        problems += _provided_problems(references, document, content)
        in_tests += _unknown_names(content, placed)
        in_tests += _provision_problems(content, placed)
        in_tests += _twin_problems(placed)
        in_tests += _seal_problems(placed)
        in_tests += _card_problems(document, content, placed)
        problems += _rule_problems(document, content)
        in_tests += _what_only_python_has(content, placed)
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


def _load_tests(folder: Path, compare: Comparison, problems: list[Problem]) -> Iterator[_PlacedTest]:
    files = sorted(file for file in (folder / "tests").glob("*.yaml") if not file.name.startswith("."))
    if not files:
        problems.append(Problem(Place(folder / "tests", 1, 1), "found no *.yaml file; expected the tests here"))
    for file in files:
        try:
            document = read_document(file)
            content = validate(document, TestsFile)
            for test, steps in tests_of(content, document, compare):
                yield _PlacedTest(test, document, steps)
        except SpecError as error:
            problems += error.problems


def _cross_check(folder: Path, document: Document, content: AssignmentFile) -> Iterator[Problem]:
    if content.id != folder.name:
        message = f"found the id `{content.id}`; expected the name of the folder, `{folder.name}`"
        yield Problem(document.place(("id",)), message)
    yield from _repeated(document, "programs", "file", [program.file for program in content.programs])
    yield from _alternative_problems(document, content)
    yield from _repeated(document, "parts", "id", [part.id for part in content.parts])
    if content.late and content.late.cut_off and content.late.cut_off < content.due:
        message = f"found {content.late.cut_off}; expected a time that is not before the due date, {content.due}"
        yield Problem(document.place(("late", "cut_off")), message)


def _alternative_problems(document: Document, content: AssignmentFile) -> Iterator[Problem]:
    taken = [program.file for program in content.programs] + [module.file for module in content.provided]
    for program_index, program in enumerate(content.programs):
        for index, alternative in enumerate(program.alternatives):
            if alternative.file in taken:
                place = document.place(("programs", program_index, "alternatives", index, "file"))
                yield Problem(place, f"{quoted(alternative.file)} is given twice")
            taken.append(alternative.file)


def _repeated(document: Document, key: str, name: str, values: list[str]) -> Iterator[Problem]:
    for index, value in enumerate(values):
        if value in values[:index]:
            yield Problem(document.place((key, index, name)), f"{quoted(value)} is given twice")


def _provided_problems(references: Path, document: Document, content: AssignmentFile) -> Iterator[Problem]:
    yield from _repeated(document, "provided", "file", [module.file for module in content.provided])
    for index, module in enumerate(content.provided):
        if module.file in (program.file for program in content.programs):
            message = f"{quoted(module.file)} is a program to hand in; expected a file that is only provided"
            yield Problem(document.place(("provided", index, "file")), message)
        if not _source(module, references).is_file():
            message = f"there is no file {_source(module, references).name} in {references}"
            yield Problem(document.place(("provided", index, "source")), message)
    if content.editions and not content.provided:
        message = "found editions, but no `provided` module that could have them"
        yield Problem(document.key_place(("editions",)), message)


def _provision_problems(content: AssignmentFile, placed: Iterable[_PlacedTest]) -> Iterator[Problem]:
    for item in placed:
        provision = item.test.provision
        for key, value in vars(provision).items():
            if value is not None and not content.provided:
                yield item.problem(key, f"`{key}` is for `provided` modules, and assignment.yaml names none")
        if content.provided and provision.edition not in (None, *content.editions):
            known = nearest(str(provision.edition), content.editions)
            yield item.problem(
                "edition", f"there is no edition {quoted(str(provision.edition))} in assignment.yaml{known}"
            )


def _rule_problems(document: Document, content: AssignmentFile) -> Iterator[Problem]:
    known = {
        "program": [program.file for program in content.programs],
        "part": [part.id for part in content.parts],
        "module": [module.file for module in content.provided],
    }
    yield from _repeated(document, "rules", "id", [rule.id for rule in content.rules])
    for index, rule in enumerate(content.rules):
        for key, names in known.items():
            name = getattr(rule, key)
            if name is not None and name not in names:
                what = "provided module" if key == "module" else key
                message = f"there is no {what} {quoted(name)} in assignment.yaml{nearest(name, names)}"
                yield Problem(document.place(("rules", index, key)), message)
    first: set[str] = set()
    for part_index, part in enumerate(content.parts):
        for index, item in enumerate(part.manual):
            if item.id in first:
                place = document.place(("parts", part_index, "manual", index, "id"))
                yield Problem(place, f"there is another manual item {quoted(item.id)}")
            first.add(item.id)


def _twin_problems(placed: Sequence[_PlacedTest]) -> Iterator[Problem]:
    public = {item.test.id for item in placed if item.test.visibility is Visibility.PUBLIC}
    for item in placed:
        if item.test.twin is not None and item.test.twin not in public:
            message = f"there is no public test {quoted(item.test.twin)}{nearest(item.test.twin, public)}"
            yield item.problem("twin", message)


def _seal_problems(placed: Iterable[_PlacedTest]) -> Iterator[Problem]:
    """What a seal cannot do: it holds digests of lines, which tell no more than whether a line is the expected one."""
    for item in placed:
        test = item.test
        if not test.sealed:
            continue
        if test.visibility is not Visibility.PUBLIC:
            yield item.problem(
                "sealed", "found `sealed` in a hidden test, which students never get; expected a public one"
            )
        if test.call is not None or test.checker is not None:
            what = "a call" if test.call is not None else "a checker"
            yield item.problem("sealed", f"a test with {what} cannot be sealed; only whole transcripts can")
        key = cannot_be_sealed(test.comparison)
        if key is not None:
            message = (
                f"a test that is compared with `{key}` cannot be sealed, because that takes the expected text itself"
            )
            yield item.problem("sealed", f"{message}; give it a `compare` of its own")


def _unknown_names(content: AssignmentFile, placed: Iterable[_PlacedTest]) -> Iterator[Problem]:
    programs = [program.file for program in content.programs]
    parts = [part.id for part in content.parts]
    for document in {item.document.file: item.document for item in placed}.values():
        for key, known in (("program", programs), ("part", parts)):
            name = document.data[key] if isinstance(document.data, dict) else ""
            if name not in known:
                message = f"there is no {key} {quoted(str(name))} in assignment.yaml{nearest(str(name), known)}"
                yield Problem(document.place((key,)), message)


def _what_only_python_has(content: AssignmentFile, placed: Iterable[_PlacedTest]) -> Iterator[Problem]:
    foreign = {program.file: _foreign(program) for program in content.programs}
    for item in placed:
        found = foreign.get(item.test.program)
        if found and item.test.start is Start.PROMPT:
            yield item.problem("prompt", f"{found}; only Python has a prompt")
        if found and item.test.start is Start.FUNCTION:
            yield item.problem("call", f"{found}; only functions of Python can be called")


def _foreign(program: ProgramEntry) -> str | None:
    """Which file that may be handed in is not run by Python, in words; the first one."""
    commands = [(program.file, program.run), *((one.file, one.run) for one in program.alternatives)]
    words = (f"`{file}` is run by {quoted(' '.join(command))}" for file, command in commands if command)
    return next(words, None)


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
        others = [rule.points or Decimal(0) for rule in content.rules if rule.part == part.id]
        others += (item.marks for item in part.manual)
        total = sum(others, total)
        if total != part.marks:
            givers = "tests, rules and manual items" if others else "tests"
            message = f"the {givers} of `{part.id}` give {total} points together; expected its marks, {part.marks}"
            yield Problem(document.place(("parts", index, "marks")), message)


def _assemble(folder: Path, references: Path, content: AssignmentFile, placed: Iterable[_PlacedTest]) -> Assignment:
    recipes = {entry.file: _recipe(content, entry) for entry in content.programs}
    return Assignment(
        id=content.id,
        title=content.title,
        folder=folder,
        programs=tuple(
            Program(
                entry.file,
                references / (entry.reference or entry.file),
                entry.variants or content.variants,
                joint=entry.variants is None,
                alternatives=tuple(_alternative(content, alternative) for alternative in entry.alternatives),
            )
            for entry in content.programs
        ),
        parts=tuple(_part(entry) for entry in content.parts),
        due=latest_moment(content.due, content.time_zone),
        late=content.late.late_policy() if content.late else None,
        late_terms=content.late.late_terms(content.time_zone) if content.late else NO_TERMS,
        rounding=content.rounding.rounding() if content.rounding else None,
        limits=Limits(**content.limits.model_dump(exclude_none=True)),
        isolation=content.isolation,
        intake=content.intake.policy(),
        tests=tuple(
            replace(_with_cards(_with_edition(item.test, content.editions), content), recipe=recipes[item.test.program])
            for item in placed
        ),
        rules=tuple(_rule(entry, content) for entry in content.rules),
        provided=tuple(Provided(module.file, _source(module, references)) for module in content.provided),
    )


def _with_cards(test: Test, content: AssignmentFile) -> Test:
    """The test with the module that its cards belong to."""
    if test.call is None or content.cards is None:
        return test
    cards = CardsModule(content.cards.module, content.cards.card, content.cards.deck)
    return replace(test, call=replace(test.call, cards=cards))


def _card_problems(document: Document, content: AssignmentFile, placed: Iterable[_PlacedTest]) -> Iterator[Problem]:
    files = [module.file for module in content.provided]
    if content.cards is not None and content.cards.module not in files:
        name = content.cards.module
        message = f"there is no provided module {quoted(name)} in assignment.yaml{nearest(name, files)}"
        yield Problem(document.place(("cards", "module")), message)
    for item in placed:
        if content.cards is None and item.test.call and any(map(holds_cards, item.test.call.given.values())):
            yield item.problem("given", "found cards, but assignment.yaml does not say in `cards` whose they are")


def _part(entry: PartEntry) -> Part:
    manual = tuple(ManualItem(item.id, item.title, item.marks) for item in entry.manual)
    return Part(entry.id, entry.title, entry.marks, manual)


def _source(module: ProvidedEntry, references: Path) -> Path:
    return references / (module.source or module.file)


def _with_edition(test: Test, editions: Sequence[str]) -> Test:
    """The test with the edition that it runs with: its own, or else the first of the assignment."""
    edition = test.provision.edition or next(iter(editions), None)
    return replace(test, provision=replace(test.provision, edition=edition))


def _rule(entry: RuleEntry, content: AssignmentFile) -> Rule:
    return Rule(
        id=entry.id,
        title=entry.title,
        kind=entry.rule,
        programs=(entry.program,) if entry.program else tuple(program.file for program in content.programs),
        functions=entry.functions or (),
        names=entry.names or (),
        module=entry.module,
        columns=entry.columns,
        part=entry.part,
        points=entry.points or Decimal(0),
        deduct=entry.deduct or Decimal(0),
        zero=entry.zero is not None,
    )


def _recipe(content: AssignmentFile, entry: ProgramEntry) -> Recipe | None:
    return None if entry.run is None else Recipe(entry.build, entry.run, _build_limits(content))


def _alternative(content: AssignmentFile, entry: AlternativeEntry) -> Alternative:
    return Alternative(entry.file, Recipe(entry.build, entry.run, _build_limits(content)))


def _build_limits(content: AssignmentFile) -> Limits:
    return replace(BUILD_LIMITS, **content.build_limits.model_dump(exclude_none=True))
