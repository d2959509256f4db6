"""The finders of the grader, without those that look at cards and tables."""

from grader.judge.causes.diagnose import CORE_FINDERS, GIVEN_ELSEWHERE
from grader.judge.evidence import CauseFinder
from grader.plugins.content_causes.family import CONTENT
from grader.plugins.error_reports.causes import found_by_tools
from grader.plugins.function_calls.causes import CALLS_EXIT, EXCEPTION, GIVEN, RETURNED, cannot_be_called

FINDERS: tuple[CauseFinder, ...] = (
    *CORE_FINDERS,
    cannot_be_called,
    found_by_tools,
    *(finder for finders in CONTENT.before.values() for finder in finders),
)

GIVEN_WITHOUT_FINDER = (*GIVEN_ELSEWHERE, RETURNED, GIVEN, EXCEPTION, CALLS_EXIT)
"""The causes without a finder."""
