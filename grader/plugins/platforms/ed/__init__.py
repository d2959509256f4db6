"""Ed: what a custom mark script of a code challenge prints."""

from grader.model.option import LateFunction
from grader.platforms.platform import Platform, StudentExport

PLATFORM = Platform(
    exports=(
        StudentExport(
            name="ed",
            about="`ed/STUDENT.json`: what a custom mark script of a challenge on Ed prints",
            suffix=".json",
            holds_origin=False,
            renderer=LateFunction("grader.plugins.platforms.ed.testcases:testcases_renderer"),
        ),
    ),
)
