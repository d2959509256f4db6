"""Searches for seeds that make useful tests."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.api.course import course_for
from grader.api.request import FilePath, Progress, no_progress
from grader.model.assignment import Assignment
from grader.plugins.searching.seeds.explore import Exploration, SelectedTest, choose, explore
from grader.plugins.searching.seeds.search_file import SeedsError, read_searches
from grader.plugins.searching.seeds.tests_file import addition, file_of, write
from grader.run.run_slots import cores


@dataclass(frozen=True)
class FoundSeeds:
    """The result of a search in seeds.yaml: the chosen tests, and the text to add to `file` (empty if all exist)."""

    assignment: Assignment
    explored: Exploration
    chosen: tuple[SelectedTest, ...]
    added: str

    @property
    def file(self) -> Path:
        """The tests file of the search."""
        return file_of(self.assignment, self.explored.search)

    def write(self) -> None:
        """Add the tests to the file. Raises SeedsError, without changing the file, if they cannot be added."""
        write(self.assignment, self.explored.search, self.added)


def search_seeds(
    assignment_id: str,
    *,
    course: FilePath | None = None,
    jobs: int | None = None,
    progress: Progress = no_progress,
) -> Iterator[FoundSeeds]:
    """Yield the results of the searches in seeds.yaml, each run when it is requested.

    The results of a search must match the tests written before. Raises SeedsError if no value makes a test.
    """
    course_found = course_for(Path(course) if course is not None else None, Path.cwd())
    for search in read_searches(course_found.assignment(assignment_id)):
        assignment = course_found.assignment(assignment_id)
        with progress(search.id, len(search.candidates)) as tick:
            explored = explore(assignment, search, jobs=jobs or cores(), tick=tick)
        chosen = choose(assignment, explored)
        if not chosen:
            raise SeedsError(f"No value of the search `{search.id}` makes a test: {explored.reached[0].fault}.")
        yield FoundSeeds(assignment, explored, chosen, addition(assignment, search, chosen))
