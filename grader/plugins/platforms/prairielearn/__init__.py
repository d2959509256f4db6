"""PrairieLearn: the results.json of its external graders."""

from grader.model.option import LateFunction
from grader.platforms.platform import Platform, StudentExport

PLATFORM = Platform(
    exports=(
        StudentExport(
            name="prairielearn",
            about="`prairielearn/STUDENT.json`: results.json of PrairieLearn",
            suffix=".json",
            takes_excused=True,
            renderer=LateFunction("grader.plugins.platforms.prairielearn.results:results_renderer"),
        ),
    ),
)
