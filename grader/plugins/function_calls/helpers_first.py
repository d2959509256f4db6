"""Puts the tests of a failing function before those of its callers, because it may be their only fault."""

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from itertools import chain

from grader.model.interaction import FunctionCall
from grader.model.results import TestResult
from grader.model.submission import Submission
from grader.model.test import Test
from grader.plugins.function_calls.call_graph import CallGraph, Item, call_graph
from grader.text.syntax import parse


def helpers_first(failed: Sequence[TestResult], submission: Submission) -> Sequence[TestResult]:
    """Return the failed tests in an order in which no function comes after one that calls it, otherwise as before.

    Only calls of functions in Python are moved. Functions that call each other keep their order.
    """
    numbers = [number for number, result in enumerate(failed) if _calls_python(result.test)]
    if len(numbers) < 2:
        return failed
    graph = _graph_of(submission)
    reached = {number: _reached(graph, failed[number].test) for number in numbers}
    order = [failed[number] for number in dict.fromkeys(chain.from_iterable(_with_helpers(reached)))]
    moved = iter(order)
    return [next(moved) if number in reached else result for number, result in enumerate(failed)]


def _with_helpers(reached: Mapping[int, Set[Item]]) -> Iterator[list[int]]:
    """Yield each test after its helpers' tests, which reach fewer items, beginning with the fewest."""
    for number, items in reached.items():
        helpers = [other for other, part in reached.items() if part and part < items]
        yield [*sorted(helpers, key=lambda other: len(reached[other])), number]


def _calls_python(test: Test) -> bool:
    return isinstance(test.interaction, FunctionCall) and test.recipe is None


def _graph_of(submission: Submission) -> CallGraph:
    """Return the graph of the files that can be read."""
    # Most checks do not need this module, and a short check should start at once.
    from grader.rules.source import UncheckedSourceError, UnreadableSourceError, read_source

    trees = {}
    for file in submission.files:
        if file.name.endswith(".py"):
            with suppress(OSError, UncheckedSourceError, UnreadableSourceError):
                trees[file.name] = read_source(file.path, file.name).tree
    return call_graph(trees)


def _reached(graph: CallGraph, test: Test) -> Set[Item]:
    """Return the items of the program that the calls of a test reach; empty if the calls cannot be parsed."""
    call = test.interaction
    if isinstance(call, FunctionCall):
        with suppress(SyntaxError, ValueError):
            return graph.reached(test.program, parse("\n".join((*call.setup, *call.calls))))
    return frozenset()
