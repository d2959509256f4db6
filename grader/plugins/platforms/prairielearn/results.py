"""PrairieLearn's results.json of one submission ("External grading", Grading results)."""

import json

from grader.grading.student_view import StudentView
from grader.model.assignment import Assignment
from grader.platforms.scores import origin_words
from grader.plugins.platforms.shared.known_scores import known_score
from grader.plugins.platforms.shared.output_text import json_number, mark_summary, visible_text
from grader.plugins.platforms.shared.scored_items import scored_items
from grader.store.origin import Provenance

# The whole file can have 1 MB. A character takes up to 12 bytes in JSON, but few do.
_MAX_CHARACTERS = 300_000


def prairielearn_results(assignment: Assignment, row: StudentView, origin: Provenance) -> str:
    """Write the results that students may see of a `row` with a score; `score` is the share of the full mark.

    PrairieLearn accepts a share of at most 1, so bonus points count only up to the full mark there.

    A submission without any file, or of an excused student, is not gradable and does not use up an attempt.
    """
    if row.granted.excused:
        return _not_gradable(mark_summary(assignment, row))
    if not row.graded.submission.files:
        return _not_gradable(*map(visible_text, row.graded.submission.notes or ["Nothing was handed in."]))
    score = known_score(assignment, row)
    most = _MAX_CHARACTERS // max(len(row.graded.results), 1)
    content = {
        "gradable": True,
        "score": min(float(score / assignment.marks), 1.0) if assignment.marks else 0.0,
        "message": mark_summary(assignment, row),
        "output": origin_words(row, origin),
        "tests": [
            {
                "name": item.name,
                "description": item.part,
                "points": json_number(item.earned),
                "max_points": json_number(item.most),
                "message": item.state,
                "output": item.text,
            }
            for item in scored_items(row, most)
        ],
    }
    return json.dumps(content, indent=1) + "\n"


def _not_gradable(*why: str) -> str:
    return json.dumps({"gradable": False, "format_errors": why}, indent=1) + "\n"
