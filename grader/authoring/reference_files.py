"""Finds the files that accompany a running reference, which are the same as for a student's program."""

from pathlib import Path

from grader.expected.rationale import MODULE
from grader.intake.further_files import fits_pattern, is_leftover
from grader.model.assignment import Assignment
from grader.model.program import Program


def reference_files(assignment: Assignment, program: Program, reference: Path) -> tuple[tuple[Path, str], ...]:
    """Return the path and destination name of each file in the folder where `reference` runs as `program`.

    They are the provided modules, the references of the other programs, and files in `reference/` that match the
    assignment's further files.
    """
    return _laid_out(assignment, program.reference.parent, {program.file: reference})


def all_references(assignment: Assignment) -> tuple[tuple[Path, str], ...]:
    """Return all existing references with their further files, as a student would hand them in."""
    folders = {program.reference.parent: None for program in assignment.programs}
    provided = {name for _, name in assignment.provided_files}
    paths = {name: path for folder in folders for path, name in _laid_out(assignment, folder, {})}
    return tuple((path, name) for name, path in paths.items() if name not in provided)


def _laid_out(assignment: Assignment, folder: Path, references: dict[str, Path]) -> tuple[tuple[Path, str], ...]:
    present = {program.file: program.reference for program in assignment.programs if program.reference.is_file()}
    provided = {name: path for path, name in assignment.provided_files}
    paths = {**_further_files(assignment, folder), **present, **references, **provided}
    return tuple((path, name) for name, path in paths.items())


def _further_files(assignment: Assignment, folder: Path) -> dict[str, Path]:
    """Return the files beside the references that may be handed in as further files, by name."""
    paths = {
        path.relative_to(folder).as_posix(): path
        for pattern in assignment.further_files
        for path in sorted(folder.glob(pattern))
        if path.is_file()
    }
    return {
        name: path
        for name, path in paths.items()
        if fits_pattern(name, assignment.further_files) and not is_leftover(name) and name != MODULE[1]
    }
