"""The templates of pages about a class, which extend the frame in `grader.reports.html`."""

from jinja2 import ChoiceLoader, Environment, PackageLoader

from grader.model.assignment import Assignment
from grader.model.results import StudentResult
from grader.model.rule import RuleResult
from grader.reports.html.pages import page_environment
from grader.reports.words import cost_words, group_words, verdict_words
from grader.text.language import told


def site_environment(assignment: Assignment) -> Environment:
    """Return the templates with the functions that they call."""
    environment = page_environment(assignment)
    environment.loader = ChoiceLoader([PackageLoader(__package__), *filter(None, [environment.loader])])
    environment.globals.update(
        cost_words=cost_words, group_words=group_words, decision=_decision_words, verdict_words=verdict_words
    )
    return environment


def _decision_words(row: StudentResult, result: RuleResult) -> str:
    """Return the decision about the cost of a rule, in words."""
    if result.rule.id in row.manual.confirmed:
        return told("costs")
    return told("waived") if result.rule.id in row.manual.waived else told("to confirm")
