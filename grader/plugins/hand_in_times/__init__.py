"""Times of handing in of a class, which times.csv or times.yaml beside the submissions says."""

from grader.intake.class_file import ClassFile
from grader.plugins.hand_in_times.stated_times import with_times

TIMES = ClassFile(after=with_times)
