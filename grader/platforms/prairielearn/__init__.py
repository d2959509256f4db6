"""PrairieLearn: the results.json of its external graders."""

from grader.platforms.platform import ExportOptions, Platform, StudentExport, StudentRenderer


def _results(_: ExportOptions) -> StudentRenderer:
    from grader.platforms.prairielearn.results import prairielearn_results

    return prairielearn_results


PLATFORM = Platform(
    exports=(
        StudentExport(
            name="prairielearn",
            about="`prairielearn/STUDENT.json`: results.json of PrairieLearn",
            suffix=".json",
            renderer=_results,
            takes_excused=True,
        ),
    ),
)
