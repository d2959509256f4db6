"""What an Autolab autograder prints: feedback, and in the last line the scores as JSON."""

import json

from grader.export.output_text import clean, origin_words
from grader.export.scores import number
from grader.report.graded_class import Row
from grader.report.student_text import student_text
from grader.spec.assignment import Assignment
from grader.store.version import Origin


def autolab_output(assignment: Assignment, row: Row, origin: Origin) -> str:
    """The feedback on a `row` as students may see it, then the autoresult: a score for each part.

    The problems on Autolab have the names of the parts. Lateness and items marked by hand are left to Autolab, and a
    part that only a person marks has no score. Who is excused has none at all.
    """
    return f"{clean(student_text(assignment, row))}\n{origin_words(row, origin)}\n{autoresult(assignment, row)}\n"


def autoresult(assignment: Assignment, row: Row) -> str:
    """The last line, such as `{"scores": {"game": 3.5}}`."""
    if row.granted.excused:
        return json.dumps({"scores": {}})
    tested = {result.test.part for result in row.graded.results} | {rule.rule.part for rule in row.graded.rules}
    parts = [part.id for part in assignment.parts if part.id in tested]
    return json.dumps({"scores": {part: number(row.graded.part_points(part)) for part in parts}})
