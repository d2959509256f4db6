"""A plain Test, from which those of the tests are made with `dataclasses.replace`."""

from decimal import Decimal

from grader.model.ending import SUCCESS
from grader.model.interaction import Dialogue, FunctionCall
from grader.model.test import Test, Visibility

TEST = Test(
    id="t",
    title="",
    program="game.py",
    part="p",
    visibility=Visibility.PUBLIC,
    points=Decimal(1),
    interaction=Dialogue(()),
    ending=SUCCESS,
)


def call_of(test: Test) -> FunctionCall:
    """The call that a test makes."""
    assert isinstance(test.interaction, FunctionCall)
    return test.interaction
