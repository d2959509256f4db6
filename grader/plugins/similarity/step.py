"""The step `similar`."""

from grader.api.class_step import ClassStep
from grader.plugins.similarity.remarks import find_passages

STEP = ClassStep(about="Highlight passages that programs in the class share.", find=find_passages)
