"""Where checkers are: in the course folder, as checkers/NAME.py, or in this package, as a folder with a check.py."""

from pathlib import Path

_BUILT_IN = Path(__file__).parent


def checker_file(course_folder: Path, name: str) -> Path:
    """Where the course's own checker of this name would be."""
    return course_folder / "checkers" / f"{name}.py"


def checker_names(course_folder: Path) -> tuple[str, ...]:
    """The names of all checkers that the tests of a course may ask for."""
    own = (file.stem for file in (course_folder / "checkers").glob("*.py"))
    built_in = (file.parent.name for file in _BUILT_IN.glob("*/check.py"))
    return tuple(sorted({*own, *built_in}))
