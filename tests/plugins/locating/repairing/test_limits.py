"""A search that reaches its limit says so in the report on the class."""

from pathlib import Path

import pytest

from grader.api.grade import grade
from grader.api.request import GradeOptions
from grader.model.program import SandboxKind
from tests.conftest import WRONG, SmallCourse


@pytest.mark.slow
def test_a_search_at_its_limit_is_told(small_course: SmallCourse, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("repairer", "class_step"):
        monkeypatch.setattr(f"grader.plugins.locating.repairing.{module}.MAX_SECONDS", 0.0)
    submissions: Path = small_course.hand_in("ann", WRONG).parent
    options = GradeOptions(class_steps=("repair",), sandbox=SandboxKind.NONE)
    graded = grade(submissions, course=small_course.folder, options=options)
    assert "the search for repairs ended at its limit of 0 s for ann" in graded.notes
