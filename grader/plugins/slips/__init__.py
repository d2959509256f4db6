"""Finds slips that Python accepts and programmers seldom mean: calls without parentheses, and rows that are one list.

`slips` finds them in the source, `reach` tells which parts of a program a test can run, and `finder` turns the slips
into hints for the failed tests of a self-check.
"""

from grader.plugins.slips.finder import find_hints
from grader.selfcheck.hints import HintFinder

SLIPS = HintFinder(find=find_hints)
