"""Each student's page as an export, which does not belong to a particular learning platform."""

from grader.model.option import LateFunction
from grader.platforms.platform import Platform, StudentExport

PLATFORM = Platform(
    exports=(
        StudentExport(
            name="pages",
            about="`pages/STUDENT.html`: a self-contained web page for each student",
            suffix=".html",
            takes_excused=True,
            holds_origin=False,
            renderer=LateFunction("grader.plugins.web.pages.student_page:page_renderer"),
        ),
    ),
)
