"""Reads the reports of sanitizers and valgrind on programs in C and C++, and diagnoses the errors in them.

`report` reads them, `causes` has the sentences.
"""

from grader.judge.causes.reading import reads_past_the_end
from grader.judge.evidence import CauseFamily
from grader.judge.found_errors import ErrorReports
from grader.plugins.error_reports.causes import found_by_tools
from grader.plugins.error_reports.report import errors_in

REPORTS = ErrorReports(errors_in)
FAMILY = CauseFamily((), before={reads_past_the_end: (found_by_tools,)})
