"""What is written as JSON is read as the same."""

from decimal import Decimal

import pytest

from grader.model.codec import from_json, to_json
from grader.selfcheck.content import BundleContent, public_content
from grader.spec.course import Course
from tests import ROOT


@pytest.mark.parametrize("assignment", Course(ROOT).assignment_ids())
def test_all_assignments_survive(assignment: str) -> None:
    content = public_content(Course(ROOT).assignment(assignment))
    assert from_json(BundleContent, to_json(content)) == content


def test_other_values_are_refused() -> None:
    with pytest.raises(TypeError, match="a set cannot be written"):
        to_json({Decimal(1)})
