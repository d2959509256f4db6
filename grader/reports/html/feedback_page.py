"""The page that a student gets: one file with all that the student may see of the results, and the submitted files."""

from collections.abc import Callable
from dataclasses import replace

from grader.model.assignment import Assignment
from grader.model.results import StudentResult
from grader.reports.html.pages import page_environment
from grader.reports.html.student_page import student_page
from grader.reports.terminal.test_result import cost_words, decision_words, group_words


def feedback_page_writer(assignment: Assignment) -> Callable[[StudentResult], str]:
    """What writes the pages of students, of rows that hold no more than they may see."""
    environment = page_environment(assignment, "report")
    environment.globals.update(cost_words=cost_words, group_words=group_words, decision=decision_words)
    template = environment.get_template("feedback.html")

    def write(row: StudentResult) -> str:
        told = replace(row, graded=replace(row.graded, rules=row.told_rules))
        page = student_page(assignment, told, notes=())
        return template.render(page=page, links={})

    return write
