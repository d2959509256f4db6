"""The views of results in Python, registered under `grader.views`."""

from grader.model.result_view import ResultViews
from grader.plugins.web.result_views import records, result_html

VIEWS = ResultViews(html=result_html, records=records)
