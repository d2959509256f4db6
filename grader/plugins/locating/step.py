"""The step `locate`."""

from grader.grading.submission_step import SubmissionStep
from grader.plugins.locating.locate import all_recorded, find_suspects

STEP = SubmissionStep(
    about="Find the lines likely at fault: failing programs run once more, also changed a little.",
    tests=all_recorded,
    find=find_suspects,
)
