"""The kinds of classes that can be read, and how they are told apart."""

from enum import StrEnum


class IntakeKind(StrEnum):
    """The shape in which submissions come; see the module of that name."""

    PLAIN = "plain"
    MOODLE = "moodle"
    CANVAS = "canvas"
    GRADESCOPE = "gradescope"
    GIT = "git"
