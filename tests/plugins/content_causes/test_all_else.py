"""A sentence says that all else is right only if no exit status, standard error or file can be wrong as well."""

from dataclasses import replace

import pytest

from grader.model.test import SideOutput
from tests.judge.sessions import exited, explain, game

LINES = "a\nb\nc\nd\ne\n"
CLAIM = "all else is right"
OUTPUTS = {
    "a space": (LINES.replace("b", "b "), "In line 2 there is one extra space at the end."),
    "two spaces": (
        LINES.replace("b", "b ").replace("d", "d "),
        "In line 2 there is one extra space at the end; 1 more line differs in this way.",
    ),
    "a blank line": (LINES.replace("b", "\nb"), "There is an extra blank line at line 2."),
    "no last newline": (LINES[:-1], "The newline after the last line is missing."),
    "an extra line": (f"warning\n{LINES}", "Line 1, `warning`, should not be there."),
    "a missing line": (LINES[2:], "Line 1, `a`, is missing."),
}


@pytest.mark.parametrize(("printed", "sentence"), OUTPUTS.values(), ids=OUTPUTS)
@pytest.mark.parametrize(
    ("side_output", "status"),
    [(SideOutput(), 3), (SideOutput(errors=True), 0), (SideOutput(files=("out.txt",)), 0)],
    ids=["exit status", "standard error", "file"],
)
def test_what_may_be_wrong_beside_the_output_is_not_called_right(
    printed: str, sentence: str, side_output: SideOutput, status: int
) -> None:
    test = replace(game(), side_output=side_output)
    assert explain(test, LINES, exited(test, printed, status))[1] == sentence


@pytest.mark.parametrize(("printed", "sentence"), OUTPUTS.values(), ids=OUTPUTS)
def test_output_alone_with_a_single_difference_is_called_right_otherwise(printed: str, sentence: str) -> None:
    assert CLAIM not in sentence
    assert CLAIM in explain(game(), LINES, exited(game(), printed))[1]


def test_a_prompt_is_judged_like_a_line() -> None:
    test = replace(game("x"), side_output=SideOutput(errors=True))
    sentence = explain(test, "Enter: x\nb\n", exited(test, "enter: x\nb\n"))[1]
    assert sentence == "In the prompt in line 1 uppercase and lowercase letters differ: `enter:`, expected `Enter:`."
