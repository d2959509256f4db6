"""The formats that `grader export`, `grader autograde` and `grader compare` can write."""

from enum import StrEnum


class Format(StrEnum):
    """What can be written of a class; then the autograders, which are made of an assignment."""

    CSV = "csv"
    MOODLE = "moodle"
    FEEDBACK = "feedback"
    CANVAS = "canvas"
    GRADESCOPE = "gradescope"
    AUTOLAB = "autolab"
    PRAIRIELEARN = "prairielearn"
    CLASSROOM = "classroom"
    JUNIT = "junit"
    GRADESCOPE_AUTOGRADER = "gradescope-autograder"
    AUTOLAB_AUTOGRADER = "autolab-autograder"
    CLASSROOM_AUTOGRADER = "classroom-autograder"

    @property
    def is_autograder(self) -> bool:
        """Whether it is made of an assignment and not of a class."""
        return self.endswith("-autograder")


class AutograderPlatform(StrEnum):
    """Who runs an autograder."""

    GRADESCOPE = "gradescope"
    AUTOLAB = "autolab"
    PRAIRIELEARN = "prairielearn"
    CLASSROOM = "classroom"


class HiddenTests(StrEnum):
    """When Gradescope shows students the hidden tests: never, or once the marks are published."""

    HIDDEN = "hidden"
    AFTER_PUBLISHED = "after_published"


class ComparisonFormat(StrEnum):
    """How a comparison of two runs is written."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"
