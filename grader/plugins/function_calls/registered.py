"""The parts of this plugin that the core finds by entry points."""

from grader.judge.calls import CallJudge
from grader.judge.causes.starting import build_error
from grader.judge.evidence import CauseFamily, CauseFinder
from grader.plugins.function_calls.causes import CALLS_EXIT, EXCEPTION, GIVEN, RETURNED, cannot_be_called
from grader.plugins.function_calls.helpers_first import helpers_first
from grader.plugins.function_calls.judge import judge_asking, judge_call
from grader.plugins.function_calls.reference import expected_call, fault_of_reference

CALLS = CallJudge(
    compare=judge_call, ask=judge_asking, expected=expected_call, fault=fault_of_reference, in_order=helpers_first
)

# The judge of calls sets these causes itself.
_GIVEN_ELSEWHERE = CauseFinder((RETURNED, GIVEN, EXCEPTION, CALLS_EXIT), lambda _: None)
FAMILY = CauseFamily((), before={build_error: (cannot_be_called, _GIVEN_ELSEWHERE)})
