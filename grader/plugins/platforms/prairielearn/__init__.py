"""PrairieLearn: the results.json of its external graders."""

from grader.model.option import LateFunction
from grader.platforms.platform import Platform, StudentExport, without_options

PLATFORM = Platform(
    exports=(
        StudentExport(
            name="prairielearn",
            about="`prairielearn/STUDENT.json`: results.json for PrairieLearn",
            suffix=".json",
            needs_mark=True,
            takes_excused=True,
            renderer=without_options(
                LateFunction("grader.plugins.platforms.prairielearn.results:prairielearn_results")
            ),
        ),
    ),
)
