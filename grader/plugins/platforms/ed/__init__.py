"""Ed: the output of a custom mark script of a code challenge."""

from grader.model.option import LateFunction
from grader.platforms.platform import Platform, StudentExport, without_options

PLATFORM = Platform(
    exports=(
        StudentExport(
            name="ed",
            about="`ed/STUDENT.json`: the output of a custom mark script for a challenge on Ed",
            suffix=".json",
            holds_origin=False,
            renderer=without_options(LateFunction("grader.plugins.platforms.ed.testcases:ed_testcases")),
        ),
    ),
)
