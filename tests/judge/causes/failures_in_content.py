"""Programs that print something else."""

from dataclasses import replace

from grader.model.program import ProvidedSettings
from tests.judge.causes.failures import (
    LOST,
    LOST_GAME,
    SECOND,
    SECOND_GAME,
    SIMULATE,
    SIMULATION,
    Failure,
    changed,
)
from tests.judge.sessions import exited, game

DEALT = replace(game(), provision=ProvidedSettings(deck="6C KH ..."))
COUNTED = "Seed: 2\nThere are {count} lines.\n\n1 to {count}\n> {asked}\n{answer}\n1 to {count}\n> q\n"

FAILURES = (
    Failure(
        "no emoji",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, " \u2639\ufe0f", "")),
        "line-cut-short",
        "Line 2 is cut short: ` ☹\ufe0f` is missing at its end.",
    ),
    Failure(
        "more behind the line",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, "\ufe0f", "\ufe0f Bye")),
        "line-too-long",
        "Line 2 is right, but then goes on with ` Bye`.",
    ),
    Failure(
        "a number after a mark",
        game(),
        "Cards\nPlayer #1: 3\nPlayer #2: 4\nBye\n",
        exited(game(), "Cards\nPlayer #1: 3\nPlayer #1: 4\nBye\n"),
        "number",
        "In line 3 the number after `Player #` is 1, one less than the expected 2.",
    ),
    Failure(
        "a cell of a row",
        game(),
        "Rules\nMenu\nStack 4D\n\t4D\t  \t  \n",
        exited(game(), "Rules\nMenu\nStack 4D\n\tXX\t  \t  \n"),
        "text",
        "In line 4 there is `XX` where `4D` is expected.",
    ),
    Failure(
        "the head of a column",
        game(),
        "Score: 3\nCards left | Rounds\n----\n   0 | 13 (10%)\n     | 14 (20%)\n",
        exited(game(), "Score: 3\nCards left | Rounds\n----\n   0 | 13 (10%)\n     | 15 (20%)\n"),
        "number",
        "In line 5 the number under `Rounds` is 15, one more than the expected 14.",
    ),
    Failure(
        "another word",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, "sorry", "sad")),
        "text",
        "Line 2 is `So sad that you lost! ☹\ufe0f`; expected `So sorry that you lost! ☹\ufe0f`.",
    ),
    Failure(
        "won instead of lost, same deal",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, "So sorry that you lost! \u2639\ufe0f", "So glad that you won! \U0001f60a")),
        "text",
        "Line 2 is `So glad that you won! 😊`; expected `So sorry that you lost! ☹\ufe0f`.",
    ),
    Failure(
        "a field of an f-string without the f",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, "lost!", "{result}!")),
        "text",
        (
            "Line 2 is `So sorry that you {result}! ☹\ufe0f`; expected `So sorry that you lost! ☹\ufe0f` (is the f "
            "before the quotation mark missing, so that `{result}` is printed as it stands?)."
        ),
    ),
    Failure(
        "one of several numbers, behind a word",
        game(),
        "Battle was 1: A♠, 2: K♠. Player 1 wins battle.\n",
        exited(game(), "Battle was 1: A♠, 2: K♠. Player 2 wins battle.\n"),
        "number",
        "In line 1 there is `Player 2` where `Player 1` is expected.",
    ),
    Failure(
        "another column title",
        SIMULATION,
        SIMULATE,
        exited(SIMULATION, changed(SIMULATE, "Number of rounds", "Rounds          ")),
        "text",
        (
            "Line 3 is `Number of cards left | Rounds           | Frequency`; expected `Number of cards left "
            "| Number of rounds | Frequency`."
        ),
    ),
    Failure(
        "one too many everywhere",
        SECOND_GAME,
        SECOND,
        exited(SECOND_GAME, changed(SECOND, "773", "774", 8)),
        "number",
        "After the input `167`: in line 3 the number of lines is 774, one more than the expected 773.",
    ),
    Failure(
        "another number",
        SECOND_GAME,
        SECOND,
        exited(SECOND_GAME, changed(SECOND, "There are 773", "There are 780")),
        "number",
        "After the input `167`: in line 3 the number of lines is 780, 7 more than the expected 773.",
    ),
    Failure(
        "another percentage",
        SIMULATION,
        SIMULATE,
        exited(SIMULATION, changed(SIMULATE, "20.00%", "10.00%")),
        "number",
        "In line 5 the number under `Frequency` is 10.00; expected 20.00.",
    ),
    Failure(
        "one round too few",
        SIMULATION,
        SIMULATE,
        exited(SIMULATION, changed(SIMULATE, "|  6", "|  5")),
        "number",
        "In line 8 the number under `Number of rounds` is 5, one less than the expected 6.",
    ),
    Failure(
        "a number that counts what follows",
        game(),
        "There are 3 lines.\n\nEnter: 1 to 3\nHello\nWorld\nthe end\n",
        exited(game(), "There are 2 lines.\n\nEnter: 1 to 2\nHello\nthe end\n"),
        "missing-line",
        "Line 5, `World`, is missing; all else is right, one line too early; in line 1 the number of lines is 2, "
        "one less than the expected 3.",
    ),
    Failure(
        "the last lines are missing, and asked for from the end",
        game("2", "-6", "q"),
        COUNTED.format(count=6, asked="-6", answer="first\n1\n2\n3\nsecond\n4\n"),
        exited(game("2", "-6", "q"), COUNTED.format(count=4, asked="-6", answer="0\nstart\nfirst\n1\n2\n3\n")),
        "missing-line",
        "After the input `-6`: the last 2 lines, from `second` on, are missing; in line 2 the number of lines is 4, "
        "2 fewer than the expected 6.",
    ),
    Failure(
        "lines too many at the end, which are asked for from there",
        game("2", "-5", "q"),
        COUNTED.format(count=6, asked="-5", answer="first\n1\n2\n3\n4\n"),
        exited(game("2", "-5", "q"), COUNTED.format(count=7, asked="-5", answer="1\n2\n3\n4\nsecond\n")),
        "extra-line",
        "After the input `-5`: the last line, `second`, should not be there; in line 2 the number of lines is 7, "
        "one more than the expected 6.",
    ),
    Failure(
        "a first card in the answer to another input",
        game("2", "1--3", "q"),
        COUNTED.format(count=3, asked="1--3", answer="Hand\n10H\n9C\n"),
        exited(
            game("2", "1--3", "q"), COUNTED.format(count=2, asked="1--3", answer="").replace("> q", "> q\nHand\n9C")
        ),
        "text",
        "After the input `1--3`: line 6 is a blank line; expected `Hand`; in line 2 the number of lines is 2, one less "
        "than the expected 3.",
    ),
    Failure(
        "a number that more differs with at once",
        game(),
        "Player 1 wins.\nHand: 3 4\nthe end\n",
        exited(game(), "Player 2 wins.\nHand: none\nthe end\n"),
        "number",
        "In line 1 there is `Player 2` where `Player 1` is expected.",
    ),
    Failure(
        "one word on a board",
        game(),
        "Board\n\t XX\t AS\t XX\t 6C\t 7D\t 8C\t 5D\t QD\n",
        exited(game(), "Board\n\t XX\t XX\t XX\t 6C\t 7D\t 8C\t 5D\t QD\n"),
        "text",
        "In line 2 there is `XX` where `AS` is expected.",
    ),
    Failure(
        "a row of squares that ends too early",
        game(),
        "Won\n\n    3 4    5 6    7 8\n    1 2    3 4    5 6\n\nend\n",
        exited(game(), "Won\n\n    3 4    5 6\n    1 2    3 4\n\n    7 8\n    5 6\n\nend\n"),
        "extra-newline",
        "Line 3 is broken too early: `7 8` belongs at its end, and comes in line 6.",
    ),
    Failure(
        "one decimal place too few",
        game(),
        "Frequency\n\n  26 |   10.00%\n",
        exited(game(), "Frequency\n\n  26 |   10.0%\n"),
        "number",
        "In line 3 the number is 10.0; expected 10.00, with 2 decimal places.",
    ),
    Failure(
        "a card in another column",
        game(),
        "Columns\n\n\tAH\t\t2C\n",
        exited(game(), "Columns\n\n\tAH\t2C\n"),
        "tabs",
        "In line 3 there is one tab before `2C`, expected 2; all else is right.",
    ),
    Failure(
        "sixty lines too many",
        game(),
        "Start\nthe board\nthe end\n",
        exited(game(), "Start\n" + "".join(f"row {number}\n" for number in range(60)) + "the board\nthe end\n"),
        "extra-line",
        "60 lines from line 2 on should not be there, among them `row 0`; all else is right, 60 lines too late.",
    ),
)
