"""`grader similar`: programs of a class that have much in common."""

import json
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from grader.analysis.similarity import ProgramSource, SimilarPair, similar_pairs
from grader.cli.find import course_for
from grader.cli.grade_class import classes_in
from grader.intake.download_format import submissions_in
from grader.intake.match_files import submission_requirements
from grader.model.assignment import Assignment
from grader.platforms import DOWNLOAD_FORMATS
from grader.reports.html.similar import SimilaritySearch, write_similar
from grader.reports.terminal.searches import similar_lines
from grader.reports.write import sole_writer

FORMAT = "grader-similar/1"


def run_similar(
    folder: Path,
    assignment_id: str | None,
    course_folder: Path | None,
    *,
    earlier: Sequence[Path],
    base: Sequence[Path],
    least: float,
    common: int,
    show: int,
    as_json: bool,
    pages: Path | None,
) -> int:
    """Print the pairs of each class in `folder`, and write them to `pages`; returns the exit code, always 0."""
    course = course_for(course_folder, folder)
    console = Console(highlight=False)
    for assignment, class_folder in classes_in(course, assignment_id, folder):
        sources = _sources(assignment, class_folder, earlier=False)
        for one in earlier:
            sources += _sources(assignment, one, earlier=True)
        given = [*(module.source for module in assignment.provided), *base]
        pairs = similar_pairs(sources, [(file.name, _text(file)) for file in given], least=least / 100, common=common)
        first = pages and _write_pages(
            assignment, pairs, SimilaritySearch(least, common, [file.name for file in given]), pages
        )
        if as_json:
            print(json.dumps(_content(assignment, pairs), indent=1))
            continue
        console.print(f"{assignment.id}: {len(pairs)} pairs share at least {least:g} % of one of them.")
        for line in similar_lines(pairs, show=show):
            console.print(line, soft_wrap=True)
        if first:
            print(f"Web pages, for instructors only: {first}")
    return 0


def _write_pages(assignment: Assignment, pairs: Sequence[SimilarPair], search: SimilaritySearch, pages: Path) -> Path:
    folder = pages / assignment.id
    with sole_writer(folder):
        return write_similar(assignment, pairs, search, folder)


def _sources(assignment: Assignment, path: Path, *, earlier: bool) -> list[ProgramSource]:
    with TemporaryDirectory(prefix="grader-intake-") as unpacked:
        intake = submissions_in(
            path, submission_requirements(assignment), Path(unpacked), lambda _: assignment.due, DOWNLOAD_FORMATS
        )
        return [
            ProgramSource(submission.student, file.name, _text(file.path), earlier)
            for submission in intake.submissions
            for file in submission.files
        ]


def _text(file: Path) -> str:
    return file.read_bytes().decode("utf-8-sig", "replace")


def _content(assignment: Assignment, pairs: Sequence[SimilarPair]) -> dict[str, object]:
    return {
        "format": FORMAT,
        "assignment": assignment.id,
        "pairs": [
            {
                "first": {"student": pair.first.source.student, "file": pair.first.source.file},
                "second": {
                    "student": pair.second.source.student,
                    "file": pair.second.source.file,
                    "earlier": pair.second.source.earlier,
                },
                "first_share": round(pair.first_share, 4),
                "second_share": round(pair.second_share, 4),
                "passages": [{"first": one.first, "second": one.second} for one in pair.passages],
            }
            for pair in pairs
        ],
    }
