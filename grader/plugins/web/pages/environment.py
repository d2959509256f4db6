"""The templates of pages about a class, which extend the frame in `grader.reports.html`."""

from jinja2 import ChoiceLoader, Environment, PackageLoader

from grader.model.assignment import Assignment
from grader.reports.html.pages import page_environment
from grader.reports.words import cost_words, decision_words, group_words, verdict_words


def site_environment(assignment: Assignment) -> Environment:
    """Return the templates with the functions that they call."""
    environment = page_environment(assignment)
    environment.loader = ChoiceLoader([PackageLoader(__package__), *filter(None, [environment.loader])])
    environment.globals.update(
        cost_words=cost_words, group_words=group_words, decision=decision_words, verdict_words=verdict_words
    )
    return environment
