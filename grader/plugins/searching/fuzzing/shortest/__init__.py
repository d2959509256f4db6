"""Finds the shortest session in which a program still fails a test: the option `--shortest`."""

from grader.cli.shortest import ShortestSearch
from grader.model.option import LateFunction

SEARCH = ShortestSearch(
    of_check=LateFunction("grader.plugins.searching.fuzzing.shortest.terminal:failure_lines"),
    of_class=LateFunction("grader.plugins.searching.fuzzing.shortest.api:shorter_in_groups"),
)
