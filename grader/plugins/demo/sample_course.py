"""Lays out the sample course: an assignment with two programs, their references, and a class."""

import shutil
from pathlib import Path

from grader.errors import GraderError

ASSIGNMENT = "comp9021-25t3-a1"
_PROGRAMS = ("reference/solitaire_1.py", "reference/solitaire_2.py")
STUDENTS = (
    "course-tight-20-minutes-late",
    "only-first-game",
    "other-file-names",
    "prompt-and-capital-letter",
    "right-two-days-late",
    "syntax-error",
)
_FOLDERS = (f"test_specs/{ASSIGNMENT}", *(f"submissions/{ASSIGNMENT}/{student}" for student in STUDENTS))


def lay_out(folder: Path) -> None:
    """Copy the sample course into a new or empty folder. Raises GraderError."""
    samples = _samples()
    try:
        if folder.exists() and any(folder.iterdir()):
            raise GraderError(f"{folder} is not empty. Name a new folder: grader demo FOLDER")
        (folder / "reference").mkdir(parents=True)
        for program in _PROGRAMS:
            shutil.copyfile(samples / program, folder / program)
        for part in _FOLDERS:
            shutil.copytree(samples / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    except OSError as error:
        raise GraderError(f"The sample course cannot be copied to {folder}: {error.strerror or error}") from None


def _samples() -> Path:
    """Return the folder with the samples: beside this module, or at the top level of a checkout."""
    here = Path(__file__).parent
    for folder in (here / "samples", here.parents[2]):
        if all((folder / part).exists() for part in (*_PROGRAMS, *_FOLDERS)):
            return folder
    raise GraderError("The sample course is missing from this installation. Install the package again.")
