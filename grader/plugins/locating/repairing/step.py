"""The step `repair`."""

from grader.api.class_step import ClassStep
from grader.plugins.locating.repairing.class_step import find_repairs

STEP = ClassStep(about="Find a small change that repairs each failing program, proved by all tests.", find=find_repairs)
