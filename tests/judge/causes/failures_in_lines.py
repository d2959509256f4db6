"""Programs that print other lines than expected, in another order, or too few or too many."""

from tests.judge.causes.failures import (
    COURSE,
    LOST,
    LOST_GAME,
    MENU,
    MENU_GAME,
    SIMULATE,
    SIMULATION,
    TWICE,
    TWO_SIMULATIONS,
    WON,
    WON_GAME,
    Failure,
    changed,
    first_lines,
    reordered,
    without_lines,
)
from tests.judge.sessions import exited, game

TWICE_EACH = "".join(line * 2 for line in SIMULATE.splitlines(keepends=True)[2:-1])

TRIED = "Cannot use the top card of the discard pile\n"
PLACED = "Extending a row by using the top card of the discard pile\n"


def turns(cards: int) -> str:
    """The output of three turns, of which each takes a card."""
    return "".join(f"Move: a\nCards: {cards - turn}\nTurn: {30 - cards + turn}\n" for turn in range(3))


ASKING = game("a", "a", "a")
TURNS = turns(5) + "End\n"
ROWS_GAME = game()
ROWS = """Left | Frequency
   0 |    60.00%
   3 |    20.00%
   4 |    20.00%
"""

FAILURES = (
    Failure(
        "prompt printed as a line",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, ": 0", ": \n0")),
        "extra-newline",
        "The prompt in line 1 ends with a newline; the input belongs on the same line.",
    ),
    Failure(
        "another answer, after which some lines are the same",
        game(),
        f"Start\n{PLACED}]]]\n[\n{TRIED}\nNext\n]]\n[[\nBye\n{PLACED}]\n",
        exited(game(), f"Start\n{TRIED}\nNext\n]]\n[[[\nStop\n{PLACED}]]\n"),
        "text",
        "Line 2 is `Cannot use the top card of the discard pile`; expected `Extending a row by using the top card of "
        "the discard pile`.",
    ),
    Failure(
        "a shorter row of one character",
        game(),
        "a\n====================\nx\n",
        exited(game(), "a\n==================\nx\n"),
        "line-cut-short",
        "Line 2 has 18 `=` in a row; expected 20.",
    ),
    Failure(
        "a longer row of one character",
        game(),
        "+----+\nx\n",
        exited(game(), "+------+\nx\n"),
        "line-too-long",
        "Line 1 has 6 `-` in a row; expected 4.",
    ),
    Failure(
        "shorter rows above and below",
        game(),
        "-----\nx\n-----\n",
        exited(game(), "---\nx\n---\n"),
        "line-cut-short",
        "Line 1 has 3 `-` in a row; expected 5.",
    ),
    Failure(
        "a row that is broken",
        game(),
        "-----\nx\n",
        exited(game(), "---\n--\nx\n"),
        "extra-newline",
        "Line 1 is broken in two: there is a newline after `---`.",
    ),
    Failure(
        "a missing line that comes several times",
        game(),
        "Turn 1\nfirst\nlast\nPass\nTurn 2\nsecond\nthird\nPass\n",
        exited(game(), "Turn 1\nfirst\nlast\nTurn 2\nsecond\nthird\nPass\nPass\nBye\n"),
        "missing-line",
        "Line 4, `Pass`, is missing.",
    ),
    Failure(
        "a line that comes too late",
        game(),
        "Turn 1\nPass\nTurn 2\nfirst\nsecond\nBye\n",
        exited(game(), "Turn 1\nTurn 2\nfirst\nsecond\nPass\nGood bye\n"),
        "line-order",
        "Line 2, `Pass`, comes too late: it stands in line 5.",
    ),
    Failure(
        "missing blank line",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, "\n\n", "\n")),
        "blank-line",
        "A blank line is missing at line 3; all else is right.",
    ),
    Failure(
        "missing blank lines",
        WON_GAME,
        WON,
        exited(WON_GAME, changed(WON, "\n\n", "\n", 3)),
        "blank-line",
        "A blank line is missing at line 3, and 2 more further on; all else is right.",
    ),
    Failure(
        "missing blank line, and more",
        WON_GAME,
        WON,
        exited(WON_GAME, changed(changed(WON, "\n\n", "\n"), "\n    \U0001f0c9", "\n  \U0001f0c9")),
        "blank-line",
        "A blank line is missing at line 3.",
    ),
    Failure(
        "extra blank line",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, "\nSo", "\n\nSo")),
        "blank-line",
        "There is an extra blank line at line 2; all else is right.",
    ),
    Failure(
        "blank line at another place",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(changed(LOST, "\n\n", "\n"), "\nSo", "\n\nSo")),
        "blank-line",
        ("There is an extra blank line at line 2, and other blank lines are in the wrong place; all else is right."),
    ),
    Failure(
        "blank line at the end",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, LOST + "\n"),
        "blank-line",
        "There is an extra blank line at line 6; all else is right.",
    ),
    Failure(
        "no line end at the end",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, LOST[:-1]),
        "final-newline",
        "The newline after the last line is missing; all else is right.",
    ),
    Failure(
        "rows in another order",
        SIMULATION,
        SIMULATE,
        exited(SIMULATION, reordered(SIMULATE, 9, 8, 7, 5, 6)),
        "line-order",
        (
            "All lines are there, but not in the right order: line 5 should be `                   0 | 13 "
            "(10.00%)      |    20.00%`."
        ),
    ),
    Failure(
        "two blocks in another order",
        game("x", "y"),
        "T: x\nA1\nA2\nA3\nB1\nB2\nOn? y\nEnd 1\n",
        exited(game("x", "y"), "T: x\nB1\nB2\nA1\nA2\nA3\nOn? y\nEnd 2\n"),
        "line-order",
        "After the input `x`: from line 2 on the lines are right, but in another order: `A1` should come before `B1`.",
    ),
    Failure(
        "two blocks in another order, with lines between",
        game(),
        "T\nA1\nA2\n\nM\n\nB1\nB2\n\nEnd\n",
        exited(game(), "T\nB1\nB2\n\nM\n\nA1\nA2\n\nEnd\n"),
        "line-order",
        "From line 2 on the lines are right, but in another order: `A1` should come before `B1`; all else is right.",
    ),
    Failure(
        "two blocks in another order, one of which has another line",
        game(),
        "T\nA1\nA2\nB1\nB2\nEnd\n",
        exited(game(), "T\nB1\nB9\nA1\nA2\nEnd\n"),
        "text",
        "Line 2 is `B1`; expected `A1`.",
    ),
    Failure(
        "an answer to an input that is right for another",
        game("x", "y"),
        "T: x\nA1\nA2\nT: y\nB1\nB2\n",
        exited(game("x", "y"), "T: x\nB1\nB2\nT: y\nA1\nA2\n"),
        "line-order",
        "After the input `x`: all lines are there, but not in the right order: line 2 should be `A1`.",
    ),
    Failure(
        "two rows swapped",
        SIMULATION,
        SIMULATE,
        exited(SIMULATION, reordered(SIMULATE, 8, 7)),
        "line-order",
        ("Lines 7 and 8 are swapped: line 7 should be `                   4 | 11               |    10.00%`."),
    ),
    Failure(
        "row left out",
        SIMULATION,
        SIMULATE,
        exited(SIMULATION, without_lines(SIMULATE, 7, 7)),
        "missing-line",
        (
            "Line 7, `                   4 | 11               |    10.00%`, is missing; all else is right, one line "
            "too early."
        ),
    ),
    Failure(
        "a row too many in a table whose rows begin with a number",
        ROWS_GAME,
        ROWS,
        exited(ROWS_GAME, changed(ROWS, "   3 |    20.00%", "   2 |    10.00%\n   3 |    10.00%")),
        "extra-line",
        "Line 3, `   2 |    10.00%`, should not be there.",
    ),
    Failure(
        "a row left out of a table whose rows begin with a number, and another share in the next",
        ROWS_GAME,
        ROWS,
        exited(ROWS_GAME, changed(ROWS, "   3 |    20.00%\n   4 |    20.00%", "   4 |    40.00%")),
        "missing-line",
        "Line 3, `   3 |    20.00%`, is missing.",
    ),
    Failure(
        "a row whose number comes again in the next row, which should have none",
        ROWS_GAME,
        changed(ROWS, "   3 |    20.00%", "     |    10.00%"),
        exited(ROWS_GAME, changed(changed(ROWS, "   3 |    20.00%", "   0 |    10.00%"), "60.00%", "10.00%")),
        "number",
        "In line 2 the number under `Frequency` is 10.00; expected 60.00.",
    ),
    Failure(
        "a row with another number at its start",
        ROWS_GAME,
        ROWS,
        exited(ROWS_GAME, changed(ROWS, "   3 |", "   2 |")),
        "number",
        "In line 3 the number under `Left` is 2, one less than the expected 3.",
    ),
    Failure(
        "a wrong line, which comes again after a later input",
        ASKING,
        TURNS,
        exited(ASKING, turns(4) + "Stop\n\nBye\n"),
        "number",
        "After the input `a`: in line 2 the number after `Cards:` is 4, one less than the expected 5; later after the "
        "input `a`: line 10 is `Stop`; expected `End`.",
    ),
    Failure(
        "a wrong line, which comes again in as many lines",
        game(),
        "Cards 7\nfirst\nsecond\nthird\nlast\nfirst\nCards 8\nBye\n",
        exited(game(), "Cards 7\nlast\nfirst\nCards 8\nthird\nlast\nfirst\nThe end\n"),
        "text",
        "Line 2 is `last`; expected `first`.",
    ),
    Failure(
        "a missing line in an answer that shows as many lines as it is asked for",
        game("1--4", "q"),
        "Lines: 1--4\nfirst\n\nsecond\nthird\nfourth\nLines: q\n",
        exited(game("1--4", "q"), "Lines: 1--4\nsecond\nthird\nfourth\nfifth\nsixth\nLines: q\n"),
        "missing-line",
        "After the input `1--4`: at line 2 `first` is missing, with a blank line.",
    ),
    Failure(
        "title left out",
        SIMULATION,
        SIMULATE,
        exited(SIMULATION, without_lines(SIMULATE, 3, 4)),
        "missing-line",
        (
            "2 lines from line 3 on are missing, among them `Number of cards left | Number of rounds | Frequency`; all "
            "else is right, 2 lines too early."
        ),
    ),
    Failure(
        "lines left out, the first of them blanks alone",
        LOST_GAME,
        changed(LOST, "So sorry", "     \nInput options:\n\nSo sorry"),
        exited(LOST_GAME, LOST),
        "missing-line",
        ("3 lines from line 2 on are missing, among them `Input options:`; all else is right, 3 lines too early."),
    ),
    Failure(
        "a message and the blank line before it left out",
        LOST_GAME,
        changed(LOST, "So sorry", "\nError in option: x\nSo sorry"),
        exited(LOST_GAME, LOST),
        "missing-line",
        "At line 2 `Error in option: x` is missing, with a blank line; all else is right, 2 lines too early.",
    ),
    Failure(
        "line for debugging",
        SIMULATION,
        SIMULATE,
        exited(SIMULATION, changed(SIMULATE, "                   4", "debug 4\n                   4")),
        "extra-line",
        "Line 7, `debug 4`, should not be there; all else is right, one line too late.",
    ),
    Failure(
        "result line of another version",
        MENU_GAME,
        MENU,
        exited(MENU_GAME, COURSE),
        "extra-line",
        (
            "After the input `32`: "
            "at line 3 `You placed all cards, you won 👍` should not be there, nor a blank line beside it; all else "
            "is right, 2 lines too late."
        ),
    ),
    Failure(
        "a line twice",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, "\nSo", "\nSo sorry that you lost! \u2639\ufe0f\nSo")),
        "extra-line",
        "Line 3, `So sorry that you lost! ☹\ufe0f`, is printed twice; all else is right, one line too late.",
    ),
    Failure(
        "every line twice",
        SIMULATION,
        SIMULATE,
        exited(SIMULATION, first_lines(SIMULATE, 2) + TWICE_EACH + ">>> \n"),
        "repeated-lines",
        "From line 3 on, every line is printed twice.",
    ),
    Failure(
        "prompt behind the last row",
        TWO_SIMULATIONS,
        TWICE,
        exited(TWO_SIMULATIONS, changed(TWICE, "3.33%\n>>> ", "3.33%>>> ")),
        "missing-newline",
        (
            "A newline is missing in line 12 after `                  11 |     3.33%`: "
            "the next line follows on the same line."
        ),
    ),
    Failure(
        "two newlines missing before a prompt",
        game("Ann"),
        "Welcome\n\nName: Ann\nHi\n",
        exited(game("Ann"), "WelcomeName: Ann\nHi\n"),
        "missing-newline",
        "A newline is missing in line 1 after `Welcome`: the next line follows on the same line.",
    ),
    Failure(
        "a prompt behind a line that is wrong too",
        game("5"),
        "Rules\nLeft: 3\nGuess: 5\nHi\n",
        exited(game("5"), "Rules\nLeft: 4 Guess: 5\nHi\n"),
        "missing-newline",
        "A newline is missing in line 2 after `Left: 4`: the prompt `Guess:` follows on the same line.",
    ),
    Failure(
        "a prompt that begins like the line that should come first",
        game("5"),
        "Low\nMiddle\nGuess: 5\nHi\n",
        exited(game("5"), "Low or high? 5\nHi\n"),
        "asks-at-another-time",
        "In line 1 the program asks `Low or high? ` (`5` was typed there); expected at this place: `Low`.",
    ),
    Failure(
        "three lines in one",
        game(),
        "One\nTwo\n\nThree\nBye\n",
        exited(game(), "One Two Three\nBye\n"),
        "missing-newline",
        "A newline is missing in line 1 after `One`: the next line follows on the same line.",
    ),
    Failure(
        "rows of cards in one line",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, "\n    \U0001f0ab", " \U0001f0ab")),
        "missing-newline",
        "A newline is missing in line 4 after `    🂧 🂡    🂸 🃇    🂸 🃗`: the next line follows on the same line.",
    ),
    Failure(
        "second row of cards left out",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, first_lines(LOST, 4)),
        "truncated-output",
        "The output is right up to line 4 and stops there; one line, `    🂫 🃍    🂫 🃍    🂫 🃁`, is missing.",
    ),
    Failure(
        "ends in the middle of a line",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, first_lines(LOST, 4)[:-9]),
        "truncated-output",
        "The output is right, but stops in the middle of line 4, after `    🂧 🂡    🂸 `.",
    ),
    Failure(
        "something after the end",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, LOST + "Thanks for playing\n"),
        "extra-output",
        "All 5 expected lines are right, but then comes `Thanks for playing`.",
    ),
    Failure(
        "played twice",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, LOST + LOST),
        "extra-output",
        "The output is right, but all of it is printed twice.",
    ),
)
