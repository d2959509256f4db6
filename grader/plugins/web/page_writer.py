"""The page writer of `grader report`."""

from grader.plugins.web.pages.site import write_site
from grader.reports.html.writer import PageWriter

PAGES = PageWriter(write_site)
