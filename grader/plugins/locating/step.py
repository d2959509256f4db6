"""The step `locate`."""

from grader.grading.submission_step import SubmissionStep
from grader.plugins.locating.locate import all_recorded, find_suspects

STEP = SubmissionStep(
    about="Find the lines most likely at fault, by running failing programs again with small changes.",
    tests=all_recorded,
    find=find_suspects,
)
