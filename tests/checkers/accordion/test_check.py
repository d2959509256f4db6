"""What the checker says of every kind of answer, in words a student understands."""

import json
from pathlib import Path
from typing import Any

import pytest

from accordion_solver.cards import read_game, write_tableau
from accordion_solver.certificate import NotLegalError, replay_certificate
from accordion_solver.check import check
from grader.checkers import ActualOutput, CheckResult, CheckStatus
from tests import ROOT

FOLDER = ROOT / "test_specs" / "cs509-2003-pa3"
INPUTS = sorted((FOLDER / "inputs").glob("*.txt"))
SEARCHED = {"losing-4-9", "losing-7-15", "losing-10-20", "losing-wild-7"}
"""To find what is possible in these takes long."""
LOSING = (FOLDER / "inputs" / "losing-28-29.txt").read_text()
WINNING = (FOLDER / "inputs" / "winning-21.txt").read_text()
IMPOSSIBLE = (FOLDER / "inputs" / "impossible-24.txt").read_text()
BAD = (FOLDER / "inputs" / "syntax-short-deal.txt").read_text()
BEST = (FOLDER / "expected" / "losing-28-29.canonical.txt").read_text()


def said(text: str, stdout: str, stderr: str = "", **options: str) -> CheckResult:
    return check(text, "", ActualOutput(stdout, stderr, 0), **options)


@pytest.mark.parametrize(
    "file", [pytest.param(file, id=file.stem, marks=[pytest.mark.slow] * (file.stem in SEARCHED)) for file in INPUTS]
)
def test_the_reference_is_right_and_no_wrong_answer_is_undecided(file: Path) -> None:
    text = file.read_text()
    expected = (FOLDER / "expected" / f"{file.stem}.canonical.txt").read_text()
    errors = "line 1, column 1: wrong" if file.stem.startswith("syntax") else ""
    options = {"seconds": "1", "doubt": "passed"} if file.stem.startswith("losing-wild") else {}
    assert said(text, expected, errors, **options).status is CheckStatus.PASSED
    wrong = {"impossible\n", ""} - {expected}
    for stdout in wrong:
        assert said(text, stdout, **options).status is CheckStatus.WRONG


def truth(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((FOLDER / "inputs" / f"{name}.truth.json").read_text())
    return content


@pytest.mark.parametrize("name", [file.name.removesuffix(".truth.json") for file in (FOLDER / "inputs").glob("*.json")])
def test_the_certificates_beside_the_inputs_hold(name: str) -> None:
    game = read_game((FOLDER / "inputs" / f"{name}.txt").read_text())
    known = truth(name)
    assert len(replay_certificate(game.deal, "\n".join(known["moves_to_fewest"]))) == known["fewest_piles"]
    assert name.startswith(str(known["answer"]))
    if known["moves_to_tableau"] is not None:
        assert replay_certificate(game.deal, "\n".join(known["moves_to_tableau"])) == game.tableau


@pytest.mark.parametrize(
    ("text", "stdout", "reason"),
    [
        (LOSING, "", "The given tableau has 29 piles; 28 are possible. So it is a losing one, and your program must"),
        (
            LOSING,
            "impossible\n",
            "Your program prints `impossible`, but the given tableau can be derived from the deal, which takes moves ",
        ),
        (LOSING, write_tableau(read_game(LOSING).tableau), "Your tableau has 29 piles; 28 are possible."),
        (
            LOSING,
            "Impossible\n",
            "The output is `Impossible`; the word is `impossible`, in small letters and with nothing",
        ),
        (LOSING, "impossible.\n", "The output is `impossible.`; the word is `impossible`, in small letters"),
        (LOSING, "possible\n", "The output is neither `impossible` nor a tableau of the cards dealt: line 1, column 1"),
        (LOSING, BEST[3:], "the tableau ends without"),
        (WINNING, "winning\n", "The given tableau is winning: expected no output; yours prints `winning`."),
        (IMPOSSIBLE, "\nSorry:\nImpossible!\n", "Your program prints `Impossible!`; expected just `impossible`."),
        (WINNING, write_tableau(read_game(WINNING).tableau), "The given tableau already has the smallest number of"),
        (
            WINNING,
            "impossible",
            "Your program prints `impossible`, but the given tableau can be derived from the deal, which takes moves ",
        ),
        (IMPOSSIBLE, "", "Your program prints nothing, but the given tableau cannot be derived from the deal: "),
        (
            IMPOSSIBLE,
            "impossible\n\nAS\n",
            "Your program prints `impossible` and also `AS`; nothing may stand beside the",
        ),
        (IMPOSSIBLE, f"{BEST}impossible\n", f"prints `impossible` and also `{BEST.splitlines()[0]}`"),
        (
            IMPOSSIBLE,
            "It is impossible.\n",
            "Your program prints `It is impossible.`; expected just `impossible`.",
        ),
        (BAD, "", "The input is not in the format (line 1, column "),
        (BAD, "", "), but your program ends without an error message."),
        (BAD, "impossible", "but your program prints `impossible` instead of an error message"),
        (BAD, "winning\n", "), but your program prints `winning` instead of an error message"),
        (
            BAD,
            write_tableau(read_game(LOSING).tableau),
            "but your program prints a tableau instead of an error message.",
        ),
        (BAD, "JSQS\nQHAHAD6D\n\n9CK\n", "program prints a tableau instead of an error message"),
        (BAD, "impossible\nJSQS\n", "program prints a tableau instead of an error message"),
        (BAD, "- 1 -", "prints no error message"),
        (
            BAD,
            "error",
            "The error message, `error`, does not say what is wrong with the input: line 1, column 151: found",
        ),
        (BAD, "*** ERROR 2! ***\n", "does not say what is wrong with the input: line 1"),
        (BAD, "An error has occurred.", "does not say what is wrong with the input: line 1"),
        (BAD, "Invalid.", "does not say what is wrong with the input: line 1"),
        (LOSING, "error\n", "The input is in the format, but your program prints `error`."),
    ],
)
def test_reasons(text: str, stdout: str, reason: str) -> None:
    answer = said(text, stdout)
    assert answer.status is CheckStatus.WRONG
    assert reason in answer.reason


def test_a_verdict_on_standard_error_is_told_as_such() -> None:
    reason = "`impossible` stands on standard error; it belongs on standard output."
    assert said(IMPOSSIBLE, "", "impossible\n").reason == reason
    assert said(LOSING, "", "impossible\n").reason.startswith("The given tableau has 29 piles; 28 are possible.")


def test_piles_in_one_line_are_told_as_one_pile() -> None:
    in_one_line = " ".join(line.replace(" ", "") for line in BEST.splitlines())
    reason = "Your program prints 52 cards in one line, which is one pile; each pile belongs on a line of its own."
    assert said(LOSING, f"{in_one_line}\n").reason == reason


def test_cards_that_never_come_together_are_named() -> None:
    reason = said((FOLDER / "inputs" / "impossible-unreached-2.txt").read_text(), "").reason
    assert ": no sequence of moves leads to it; all were tried, and none brings QD onto 2D on the way" in reason


@pytest.mark.parametrize(
    "message",
    [
        *("Invalid input", "JSQS is dealt twice", "syntax error", "Error: duplicate", "bad card: XY", "错误的牌"),
        *("错误：第1行第1列，输入的牌不符合格式", "error:line1:bad_card", "Ошибка в строке"),
    ],
)
def test_a_short_error_message_is_informative(message: str) -> None:
    assert said(BAD, "", message).status is CheckStatus.PASSED


@pytest.mark.parametrize("message", ["the input has a bad card", "error:line1:bad_card", "错误：输入的牌不符合格式"])
@pytest.mark.parametrize(("game", "answer"), [(WINNING, ""), (LOSING, BEST), (IMPOSSIBLE, "impossible\n")])
def test_a_complaint_about_a_game_in_the_format_is_wrong(game: str, answer: str, message: str) -> None:
    assert said(game, answer).status is CheckStatus.PASSED
    complained = said(game, answer, f"{message}\n")
    reason = f"The input is in the format, but your program prints `{message}` on standard error."
    assert (complained.status, complained.reason) == (CheckStatus.WRONG, reason)


def test_other_words_on_standard_error_beside_no_answer_are_for_a_person_to_read() -> None:
    assert said(WINNING, "", "the cards are not these\n").status is CheckStatus.UNKNOWN
    assert said(LOSING, BEST, "the search has ended\n").status is CheckStatus.PASSED
    assert said(WINNING, "", "1 2 3\n").status is CheckStatus.PASSED


@pytest.mark.parametrize("printed", ["impossible\n", "JSQSQHAH\n"])
def test_what_is_printed_apart_from_a_wrong_answer_is_for_a_person_to_read(printed: str) -> None:
    answer = said(BAD, printed, "log: the search has ended\n")
    assert answer.status is CheckStatus.UNKNOWN


def test_one_pile_out_of_nothing() -> None:
    deal = read_game(LOSING).deal
    answer = said(LOSING, write_tableau((tuple(reversed(deal)),)))
    assert answer.reason.startswith("Your tableau cannot be derived from the deal: ")


def test_what_is_revealed() -> None:
    assert "28" not in said(LOSING, "", reveal="nothing").reason
    assert "28 are possible, by the moves: pile" in said(LOSING, "", reveal="answer").reason
    assert "derived from the deal: " in said(IMPOSSIBLE, "", reveal="answer").reason
    assert "by the moves" not in said(LOSING, "").reason


def test_a_certificate_settles_what_cannot_be_searched_for() -> None:
    known = json.loads((FOLDER / "inputs" / "impossible-wild-2.truth.json").read_text())
    deal = read_game((FOLDER / "inputs" / "impossible-wild-2.txt").read_text()).deal
    certificate = "\n".join(known["moves_to_fewest"])
    text = write_tableau((deal,)) + write_tableau(replay_certificate(deal, certificate))
    assert said(text, "", certificate, certificate="stderr", seconds="0").status is CheckStatus.PASSED
    assert said(text, "", certificate, seconds="0").status is CheckStatus.UNKNOWN
    broken = certificate.replace("pile", "top", 1).partition("\n")[2]
    assert said(text, "", broken, certificate="stderr", seconds="0").status is CheckStatus.UNKNOWN


@pytest.mark.slow
def test_in_doubt_a_single_pile_may_pass_but_never_too_many_piles() -> None:
    known = json.loads((FOLDER / "inputs" / "impossible-wild-2.truth.json").read_text())
    deal = read_game((FOLDER / "inputs" / "impossible-wild-2.txt").read_text()).deal
    steps = ["\n".join(known["moves_to_fewest"][:count]) for count in (1, 40)] + ["\n".join(known["moves_to_fewest"])]
    first, few, single = (write_tableau(replay_certificate(deal, moves)) for moves in steps)
    text = write_tableau((deal,)) + first
    assert said(text, single, seconds="0").status is CheckStatus.UNKNOWN
    assert said(text, single, seconds="0.5", doubt="passed").status is CheckStatus.PASSED
    assert said(text, few, seconds="5", doubt="passed").status is CheckStatus.WRONG
    assert said(text, write_tableau((deal,)), seconds="0.5", doubt="passed").status is CheckStatus.WRONG
    assert said(write_tableau((deal, deal)), single, seconds="0", doubt="passed").status is CheckStatus.WRONG


@pytest.mark.parametrize(
    ("certificate", "reason"),
    [
        ("pile 3C AC", "one or two to the left"),
        ("pile AC 2C", "one or two to the left"),
        ("pile 5C AC", "one or two to the left"),
        ("pile 2D AC", "no pile has '2D' on top"),
        ("take 2C AC", "expected such as"),
        ("pile AD 2C", "do not match"),
    ],
)
def test_moves_against_the_rules(certificate: str, reason: str) -> None:
    with pytest.raises(NotLegalError, match=reason):
        replay_certificate((0, 1, 13, 2, 3, 4), certificate)


def test_legal_moves_are_replayed() -> None:
    deal = (0, 1, 13)
    assert replay_certificate(deal, "\n PILE 2c ac \n") == ((1, 0), (13,))
    assert replay_certificate(deal, "top AD AC") == ((13, 0), (1,))
    assert replay_certificate(deal, "") == ((0,), (1,), (13,))
