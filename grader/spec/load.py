"""Loads an assignment folder: checks each file, then all files together, and builds the Assignment.

test_specs/ID/assignment.yaml test_specs/ID/tests/*.yaml
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from grader.config.scalars import latest_moment
from grader.config.validation import Validated, validate
from grader.config.yaml_reader import YamlDocument, read_document
from grader.errors import Problem, SourceLocation, SpecError
from grader.model.assignment import Assignment, ManualItem, Part
from grader.model.interaction import CardsModule, FunctionCall
from grader.model.policy import LateTerms
from grader.model.program import AlternativeFile, BuildCommands, Limits, Program, ProvidedModule
from grader.model.python_request import PythonRequest
from grader.model.rule import Rule
from grader.model.test import Test
from grader.spec.assignment_checks import cross_check, language_problems, provided_problems, rule_problems, source
from grader.spec.assignment_file import AlternativeEntry, AssignmentFile, PartEntry, ProgramEntry, RuleEntry
from grader.spec.counting_checks import all_groups, counting_problems
from grader.spec.counting_entries import cause_hints
from grader.spec.cross_checks import (
    PlacedTest,
    card_problems,
    input_file_notes,
    plugin_problems,
    provision_problems,
    python_only_problems,
    repeated_tests,
    seal_problems,
    twin_problems,
    unknown_names,
)
from grader.spec.languages import BUILD_LIMITS, recipe
from grader.spec.loops import TestDefaults, tests_of
from grader.spec.points import points_problems, with_shared_points
from grader.spec.stated_paths import path_problems
from grader.spec.tests_file import TestsFile


def load_assignment(folder: Path, references: Path) -> Assignment:
    """Load the assignment in `folder`; its references are in `references`.

    Raises SpecError with all problems in all files.
    """
    problems: list[Problem] = []
    in_tests: list[Problem] = []
    main = _load_main(folder, problems)
    defaults = _defaults(main.content) if main else TestDefaults()
    placed = list(_load_tests(folder, defaults, in_tests))
    in_tests += repeated_tests(placed)
    in_tests += path_problems(placed)
    if main:
        document, content = main.document, main.content
        problems += cross_check(folder, document, content)
        problems += provided_problems(references, document, content)
        problems += language_problems(document, content)
        in_tests += unknown_names(content, placed)
        in_tests += provision_problems(content, placed)
        in_tests += twin_problems(placed)
        in_tests += seal_problems(placed)
        in_tests += card_problems(document, content, placed)
        problems += rule_problems(document, content)
        in_tests += python_only_problems(content, placed)
        in_tests += plugin_problems(placed)
        in_tests += counting_problems(document, content, placed)
        # While some tests are faulty, a sum of points without them means nothing.
        groups = all_groups(content, placed)
        placed = with_shared_points(content, groups, placed)
        problems += in_tests or points_problems(document, content, groups, placed)
    else:
        problems += in_tests
    if problems or not main:
        raise SpecError(problems)
    assembled = _assemble(folder, references, main.content, placed)
    return replace(
        assembled, python=_python(main.document, main.content), notes=tuple(input_file_notes(folder, placed))
    )


def _load_main(folder: Path, problems: list[Problem]) -> Validated[AssignmentFile] | None:
    try:
        return validate(read_document(folder / "assignment.yaml"), AssignmentFile)
    except SpecError as error:
        problems += error.problems
        return None


def _defaults(content: AssignmentFile) -> TestDefaults:
    """Return the assignment's defaults for its tests."""
    limits = content.limits.over(Limits())
    return TestDefaults(content.compare.comparison(), limits, content.files, content.environment)


def _load_tests(folder: Path, defaults: TestDefaults, problems: list[Problem]) -> Iterator[PlacedTest]:
    files = sorted(file for file in (folder / "tests").glob("*.yaml") if not file.name.startswith("."))
    if not files:
        problems.append(
            Problem(SourceLocation(folder / "tests", 1, 1), "found no *.yaml file; expected the tests here")
        )
    for file in files:
        try:
            validated = validate(read_document(file), TestsFile)
            for test, steps in tests_of(validated.content, validated.document, defaults):
                yield PlacedTest(
                    test=test,
                    document=validated.document,
                    steps=steps,
                    entry=validated.content.tests[int(steps[-1])],
                    defaults=validated.content,
                )
        except SpecError as error:
            problems += error.problems


def _assemble(folder: Path, references: Path, content: AssignmentFile, placed: Sequence[PlacedTest]) -> Assignment:
    recipes = {entry.file: _recipe(content, entry) for entry in content.programs}
    provided = tuple(ProvidedModule(module.file, source(module, references)) for module in content.provided)
    provided_names = tuple(module.file for module in provided)
    return Assignment(
        id=content.id,
        title=content.title,
        folder=folder,
        programs=tuple(_program(references, content, entry) for entry in content.programs),
        parts=tuple(_part(entry) for entry in content.parts),
        due=latest_moment(content.due, content.time_zone),
        late=content.late.late_policy() if content.late else None,
        late_terms=content.late.late_terms(content.time_zone) if content.late else LateTerms(),
        rounding=content.rounding.rounding() if content.rounding else None,
        limits=content.limits.over(Limits()),
        isolation=content.isolation,
        stop_after_timeouts=content.stop_after_timeouts,
        submission_policy=content.submissions.policy(),
        tests=tuple(
            replace(
                _with_cards(_with_edition(item.test, content.editions), content),
                hints=replace(item.test.hints, of_assignment=cause_hints(content.hints)),
                recipe=recipes[item.test.program],
                provided=provided_names,
            )
            for item in placed
        ),
        rules=tuple(_rule(entry, content) for entry in content.rules),
        groups=all_groups(content, placed),
        max_mark=content.max_mark,
        editions=content.editions,
        provided=provided,
        further_files=content.further_files,
    )


def _program(references: Path, content: AssignmentFile, entry: ProgramEntry) -> Program:
    return Program(
        file=entry.file,
        reference=references / (entry.reference or entry.file),
        variants=entry.variants or content.variants,
        joint=entry.variants is None,
        alternatives=tuple(_alternatives(content, entry.alternatives)),
    )


def _with_cards(test: Test, content: AssignmentFile) -> Test:
    """Return the test with the module that provides its cards."""
    call = test.interaction
    if not isinstance(call, FunctionCall) or content.cards is None:
        return test
    cards = CardsModule(content.cards.module, content.cards.card, content.cards.deck)
    return replace(test, interaction=replace(call, cards=cards))


def _python(document: YamlDocument, content: AssignmentFile) -> PythonRequest:
    return PythonRequest(
        version=content.python,
        packages=content.packages,
        version_location=document.key_place(("python",)) if content.python else None,
        packages_location=document.key_place(("packages",)) if content.packages else None,
    )


def _part(entry: PartEntry) -> Part:
    manual = tuple(ManualItem(item.id, item.title, item.marks) for item in entry.manual)
    return Part(id=entry.id, title=entry.title, marks=entry.marks, manual=manual, bonus=entry.bonus)


def _with_edition(test: Test, editions: Sequence[str]) -> Test:
    """Return the test with its edition: the one it sets, or else the assignment's first."""
    edition = test.provision.edition or next(iter(editions), None)
    return replace(test, provision=replace(test.provision, edition=edition))


def _rule(entry: RuleEntry, content: AssignmentFile) -> Rule:
    return Rule(
        id=entry.id,
        title=entry.title,
        check=entry.check(),
        programs=(entry.program,) if entry.program else tuple(program.file for program in content.programs),
        part=entry.part,
        points=entry.points or Decimal(0),
        deduct=entry.deduct or Decimal(0),
        zero_mark=entry.zero_mark is not None,
    )


def _recipe(content: AssignmentFile, entry: ProgramEntry) -> BuildCommands | None:
    return recipe(entry.file, entry.build, entry.run, _build_limits(content))


def _alternatives(content: AssignmentFile, entries: Iterable[AlternativeEntry]) -> Iterator[AlternativeFile]:
    for entry in entries:
        alternative_recipe = recipe(entry.file, entry.build, entry.run, _build_limits(content))
        if alternative_recipe is not None:
            yield AlternativeFile(entry.file, alternative_recipe)


def _build_limits(content: AssignmentFile) -> Limits:
    return replace(BUILD_LIMITS, **content.build_limits.model_dump(exclude_none=True))
