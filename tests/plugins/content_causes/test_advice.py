"""Advice is in terms of the language of the program."""

from dataclasses import replace

import pytest

from grader.model.outcome import TypedLine
from tests.judge.sessions import exited, explain, game


def test_a_late_prompt_is_named_where_only_enter_is_typed() -> None:
    test = game("")
    outcome = replace(exited(test, "Round 1\n\nPress Enter: Round 2\n"), typed=(TypedLine(8, ""),), unsent=0)
    sentence = explain(test, "Round 1\nPress Enter: \nRound 2\n", outcome)[1]
    assert sentence.startswith("The prompt `Press Enter: ` of line 2 is printed only after the input was read: ")


@pytest.mark.parametrize(
    ("program", "advice"),
    [
        ("ask.py", "give it to input(), or flush the output first."),
        ("ask.cpp", "flush the output first."),
        ("ask.rs", "flush the output first."),
    ],
)
def test_input_is_named_in_python_only(program: str, advice: str) -> None:
    test = replace(game("3"), program=program)
    said = explain(test, "How many? 3\ngot 3\n", exited(test, "3\nHow many? got 3\n"))[1]
    assert said == f"The prompt `How many? ` of line 1 is printed only after the input was read: {advice}"
