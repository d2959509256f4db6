"""`grader bundle`: a self-check to hand out."""

from pathlib import Path

from rich.console import Console

from grader.cli.find import course_for
from grader.selfcheck.bundle import BundleFile, make_file, make_folder

FILE, FOLDER = Path("grader.pyz"), Path("grader-check")


def write_bundle(
    assignment_id: str, course: Path | None, *, output: Path | None, as_folder: bool, checkers: bool
) -> int:
    """Make a bundle and say what is in it; returns the exit code."""
    assignment = course_for(course, Path.cwd()).assignment(assignment_id)
    make, path = (make_folder, FOLDER) if as_folder else (make_file, FILE)
    made = make(assignment, output or path, checkers=checkers)
    console = Console(highlight=False)
    console.print(f"{made.path}: {_words(made)}", soft_wrap=True, markup=False)
    if made.left_out:
        console.print(
            f"{made.left_out} more are left out: the checker that judges them knows the answers (--checkers).",
            soft_wrap=True,
        )
    console.print(f"Students run: python3 {made.path.name} check {assignment.programs[0].file}", soft_wrap=True)
    return 0


def _words(bundle: BundleFile) -> str:
    sealed = sum(test.sealed for test in bundle.tests)
    return f"{len(bundle.tests)} public tests{f', {sealed} of them sealed' if sealed else ''}."
