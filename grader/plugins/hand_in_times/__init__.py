"""Submission times of a class from times.csv or times.yaml beside the submissions."""

from grader.intake.class_file import ClassFile
from grader.plugins.hand_in_times.stated_times import with_times

TIMES = ClassFile(after=with_times)
