"""Reads test_specs/ID/audit.yaml, which lists typical mistakes of students, and mutants that are not mistakes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grader.config.scalars import FormatOne
from grader.config.validation import SpecModel, validate
from grader.config.yaml_reader import YamlDocument, read_document
from grader.errors import Problem, SpecError, nearest, quoted
from grader.model.assignment import Assignment
from grader.plugins.auditing.base_program import BaseProgram
from grader.plugins.auditing.mutants import MistakeSource, Mutant

FILE_NAME = "audit.yaml"


class _Mistake(SpecModel):
    """A mistake that students make in this program."""

    program: str
    """The program whose reference is changed."""
    about: str
    """The mistake in words."""
    find: str
    """A string that occurs exactly once in the reference."""
    replace: str
    """The text that replaces it."""


class _Equivalent(SpecModel):
    """A mutant that behaves like the original."""

    mutant: str
    """The name of the mutant in the audit."""
    reason: str
    """The reason why no test can distinguish it from the original."""


class AuditFile(SpecModel):
    """Mistakes that the tests must catch, and equivalent mutants."""

    format: FormatOne
    """Version of this format: `1`."""
    leave: tuple[str, ...] = ()
    """Strings that protect lines from mutation, such as the lines that choose a variant. Operators do not change a line
    that contains one of these strings. If the first line of a function contains one, the whole function is protected.
    """
    mistakes: tuple[_Mistake, ...] = ()
    """Mistakes that students make in this game."""
    equivalent: tuple[_Equivalent, ...] = ()
    """Mutants that behave like the original."""


@dataclass(frozen=True)
class AuditSettings:
    """The mutants made from the mistakes in the file, and the reasons why other mutants are equivalent, by id.

    Operators do not change lines that contain a string in `leave`, such as the lines that choose a variant.
    """

    mutants: tuple[Mutant, ...] = ()
    leave: tuple[str, ...] = ()
    equivalent: Mapping[str, str] = field(default_factory=dict)


def read_audit_settings(assignment: Assignment, references: Sequence[BaseProgram]) -> AuditSettings:
    """Return the audit settings of an assignment with these references, or empty settings if it has no audit.yaml.

    Raises SpecError if the file is faulty or the text of a mistake does not occur exactly once in the reference.
    """
    file = assignment.folder / FILE_NAME
    if not file.exists():
        return AuditSettings()
    document = read_document(file)
    content = validate(document, AuditFile).content
    problems: list[Problem] = []
    mutants: list[Mutant] = []
    for base in references:
        mutants += [
            Mutant(
                base,
                mistake.about,
                base.source.replace(mistake.find, mistake.replace),
                MistakeSource.CATALOGUE,
            )
            for index, mistake in enumerate(content.mistakes)
            if mistake.program == base.file and not _is_impossible(document, index, mistake, base.source, problems)
        ]
    programs = {program.file for program in assignment.programs}
    problems += [
        Problem(
            document.place(("mistakes", index, "program")),
            f"there is no program {quoted(mistake.program)}{nearest(mistake.program, programs)}",
        )
        for index, mistake in enumerate(content.mistakes)
        if mistake.program not in programs
    ]
    if problems:
        raise SpecError(problems)
    return AuditSettings(tuple(mutants), content.leave, {entry.mutant: entry.reason for entry in content.equivalent})


def _is_impossible(
    document: YamlDocument, index: int, mistake: _Mistake, original: str, problems: list[Problem]
) -> bool:
    """Return whether the mistake cannot be made in the reference, and add the reason to `problems`."""
    occurrences = original.count(mistake.find) if mistake.find else 0
    if occurrences == 1:
        return False
    words = "does not stand" if not occurrences else f"stands {occurrences} times"
    message = f"this text {words} in the reference of {mistake.program}; expected it exactly once"
    problems.append(Problem(document.place(("mistakes", index, "find")), message))
    return True
