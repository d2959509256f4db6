"""`grader seeds`: tests that reach what a game can do."""

from functools import partial
from pathlib import Path

from rich.console import Console
from rich.text import Text

from grader.authoring.seeds.explore import choose, explore
from grader.authoring.seeds.search_file import SeedsError, read_searches
from grader.authoring.test_file_editor import addition, file_of, write
from grader.cli.find import course_for
from grader.cli.progress import progress_bar
from grader.reports.terminal.searches import missed_goals, seeds_lines
from grader.run.core_slots import cores
from grader.text.escape import escape_controls


def run_seeds(assignment_id: str, course_folder: Path | None, *, dry_run: bool, jobs: int | None) -> int:
    """Search as seeds.yaml says and write the tests found, or print them; returns the exit code.

    It is 1 when an event or a length that seeds.yaml names is never reached.
    """
    course = course_for(course_folder, Path.cwd())
    assignment = course.assignment(assignment_id)
    console = Console(highlight=False)
    all_reached = True
    for search in read_searches(assignment):
        with progress_bar("values") as progress:
            task = progress.add_task(search.id, total=len(search.candidates))
            explored = explore(assignment, search, jobs=jobs or cores(), tick=partial(progress.advance, task))
        chosen = choose(assignment, explored)
        if not chosen:
            raise SeedsError(f"No value of the search `{search.id}` makes a test: {explored.reached[0].fault}.")
        for line in seeds_lines(explored, chosen):
            console.print(line, soft_wrap=True)
        added = addition(assignment, search, chosen)
        file = file_of(assignment, search)
        if dry_run:
            for text in added.splitlines():
                console.print(Text(escape_controls(text)), soft_wrap=True)
        elif added:
            write(assignment, search, added)
            # What the next search adds must fit to this.
            assignment = course.assignment(assignment_id)
            console.print(f"  written: {file}; now run `grader generate {assignment.id}`", soft_wrap=True)
        else:
            console.print("  Every test is there already.", soft_wrap=True)
        all_reached = all_reached and not missed_goals(explored, chosen)
    return 0 if all_reached else 1
