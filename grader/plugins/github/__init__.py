"""Reports classes and self-checks to GitHub workflows: `--format github`."""

from grader.model.option import LateFunction
from grader.reports.printed_report import OutputFormat, ReportAtEnd

GITHUB = OutputFormat(
    LateFunction("grader.plugins.github.report:github_class"),
    lambda _: ReportAtEnd(LateFunction("grader.plugins.github.report:github_check")),
)
