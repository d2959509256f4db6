"""War, the full version: prolonged battles, and the three ways a game can end in one (handout, the last paragraphs)."""

from dataclasses import replace

import pytest

from grader.authoring.generate import generate
from grader.model.program import ProvidedSettings
from grader.run.environment import RunEnvironment
from grader.spec.course import Course
from tests import ROOT
from tests.reference.conftest import Play
from tests.reference.programs import REFERENCE, SAMPLES

CANNOT_GO_ON = [
    ("8♠ 8♥ 2♠ 3♥ 4♥", "[2♠, 4♥]", "[3♥]", "Player 1 wins!!!"),
    ("8♠ 8♥ 2♠ 3♥", "[2♠]", "[3♥]", "The game is a draw!!!"),
    ("8♠ 8♥", "[]", "[]", "The game is a draw!!!"),
    ("8♠ 8♥ 2♠", "[2♠]", "[]", "The game is a draw!!!"),
]


def deck(stated: str) -> ProvidedSettings:
    return ProvidedSettings("lab-unshuffled", stated)


@pytest.mark.parametrize(("stated", "hand1", "hand2", "end"), CANNOT_GO_ON)
def test_a_battle_that_cannot_be_completed_ends_the_game(
    stated: str, hand1: str, hand2: str, end: str, play: Play
) -> None:
    printed = play("lab10b_full.py", provision=deck(stated))
    battle = "Battle was 1: 8♠, 2: 8♥. Battle was a draw.\n"
    assert printed.endswith(f"\n\n{battle}hand1: {hand1}\nhand2: {hand2}\n{end}\n")


def test_player_1_cannot_complete_a_later_battle(play: Play) -> None:
    # 9 loses to 10; then the fives are equal, and player 1 has one card while player 2 has four.
    printed = play("lab10b_full.py", "", provision=deck("9♠ 10♥ 5♠ 5♥ 2♠ 3♥ "))
    assert printed.splitlines()[-4:] == [
        "Battle was 1: 5♠, 2: 5♥. Battle was a draw.",
        "hand1: [2♠]",
        "hand2: [3♥, 10♥, 9♠]",
        "Player 2 wins!!!",
    ]


def test_the_winner_of_a_prolonged_battle_takes_six_cards(play: Play) -> None:
    printed = play("lab10b_full.py", "n", provision=deck("5♠ 5♥ K♠ 2♥ 7♠ A♥ 3♠ 4♥"))
    assert printed.splitlines()[4:] == [
        "Battle was 1: 5♠, 2: 5♥. Battle was a draw.",
        "Battle was 1: 7♠, 2: A♥. Player 2 wins battle.",
        "hand1: [3♠]",
        "hand2: [4♥, 5♥, 2♥, A♥, 5♠, K♠, 7♠]",
        "Keep Going: (Nn) to stop:n",
        "Player 2 wins!!!",
    ]


def test_a_battle_prolonged_twice(play: Play) -> None:
    printed = play("lab10b_full.py", provision=deck("5♠ 5♥ K♠ 2♥ 7♠ 7♥ 3♠ 4♥ Q♠ J♥"))
    assert printed.splitlines()[4:] == [
        "Battle was 1: 5♠, 2: 5♥. Battle was a draw.",
        "Battle was 1: 7♠, 2: 7♥. Battle was a draw.",
        "Battle was 1: Q♠, 2: J♥. Player 1 wins battle.",
        "hand1: [5♠, K♠, 7♠, 3♠, Q♠, 5♥, 2♥, 7♥, 4♥, J♥]",
        "hand2: []",
        "Player 1 wins!!!",
    ]


def test_stopping_with_equal_hands(play: Play) -> None:
    printed = play("lab10b_full.py", "", "N", provision=deck("9♠ 2♥ 3♠ 8♥ 4♠ 5♥"))
    assert printed.endswith(
        "hand1: [4♠, 9♠, 2♥]\nhand2: [5♥, 8♥, 3♠]\nKeep Going: (Nn) to stop:N\nThe game is a draw!!!\n"
    )


def test_an_assignment_may_name_it_as_its_reference(environment: RunEnvironment) -> None:
    assignment = Course(ROOT).assignment("cse231-lab10b")
    [program] = assignment.programs
    full = replace(program, reference=REFERENCE / "lab10b_full.py", variants=("canonical",))
    test = next(one for one in assignment.tests if one.id == "war-test-1-all-y")
    test = replace(test, provision=deck("3♠ 8♠ 4♠ 9♠ 5♠ Q♠ 6♠ K♠ J♠ 10♠"))
    [text] = generate(replace(assignment, programs=(full,)), [test], environment, jobs=1, tick=lambda: None).values()
    # Without equal ranks the full game differs from the simple one in nothing, and the winner's own card comes first.
    assert text == (SAMPLES / "lab10" / "war-test1-winner-first.transcript.txt").read_text(encoding="utf-8")
