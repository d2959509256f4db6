"""What is written as JSON is read as the same."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest

from grader.model.codec import from_json, to_json
from grader.model.counting import Counting
from grader.model.partial_credit import (
    Milestone,
    Milestones,
    PartialCredit,
    PartialLines,
    PartialSteps,
    PartialWay,
    TextInLine,
)
from grader.model.test import CauseHint, Hints, Test
from grader.plugins.bundling.content import BundleContent
from grader.plugins.bundling.public_content import public_content
from grader.spec.course import Course
from tests import ROOT
from tests.building import TEST


@pytest.mark.parametrize("assignment", Course(ROOT).assignment_ids())
def test_all_assignments_survive(assignment: str) -> None:
    content = public_content(Course(ROOT).assignment(assignment))
    assert from_json(BundleContent, to_json(content)) == content


@pytest.mark.parametrize(
    "way", [PartialLines(), PartialSteps(), Milestones((Milestone(TextInLine("won"), Decimal("0.5")),))]
)
def test_how_a_test_counts_survives(way: PartialWay) -> None:
    hints = Hints("Read page 3.", (CauseHint("text", "Look."),), (CauseHint("case", "Look again."),))
    counting = Counting(group="g", weight=Decimal("2.5"), bonus=True, requires=("start",))
    test = replace(TEST, points=Fraction(1, 3), counting=counting, partial=PartialCredit(way), hints=hints)
    assert from_json(Test, to_json(test)) == test


def test_other_values_are_refused() -> None:
    with pytest.raises(TypeError, match="a set cannot be written"):
        to_json({Decimal(1)})
