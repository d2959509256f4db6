"""Programs that print something else."""

from tests.judge.causes.failures import (
    LOST,
    LOST_GAME,
    SECOND,
    SECOND_GAME,
    SIMULATE,
    SIMULATION,
    WON,
    Failure,
    changed,
)
from tests.judge.sessions import exited, expected_transcript, game

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
        "cards in another order",
        game(),
        "Hands\nHand: TH 9C\n",
        exited(game(), "Hands\nHand: 9C TH\n"),
        "word-order",
        "Line 2 has the right cards in another order: `Hand: 9C TH`; expected `Hand: TH 9C`.",
    ),
    Failure(
        "a ten written with digits",
        game(),
        "Hands\nHand: TH 9C\n",
        exited(game(), "Hands\nHand: 10H 9C\n"),
        "card-notation",
        "In line 2 the cards are right, but written in another way: `10H`, expected `TH`.",
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
        "In line 1 the number after `Player` is 2, one more than the expected 1.",
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
        "cards of another seed",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(expected_transcript("s1-seed-2.canonical"), ": 2", ": 0")),
        "wrong-deal",
        (
            "The first card is wrong (🂺 in line 4, expected 🂧): is the deck sorted before "
            "shuffle(), is seed() called just before it, and are cards taken from the right end?"
        ),
    ),
    Failure(
        "another deal and result",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(WON, ": 3", ": 0")),
        "wrong-deal",
        (
            "The first card is wrong (🃁 in line 4, expected 🂧): is the deck sorted before "
            "shuffle(), is seed() called just before it, and are cards taken from the right end?"
        ),
    ),
    Failure(
        "one too many everywhere",
        SECOND_GAME,
        SECOND,
        exited(SECOND_GAME, changed(SECOND, "773", "774", 8)),
        "number",
        "In line 3 the number is 774, one more than the expected 773.",
    ),
    Failure(
        "another number",
        SECOND_GAME,
        SECOND,
        exited(SECOND_GAME, changed(SECOND, "There are 773", "There are 780")),
        "number",
        "In line 3 the number is 780; expected 773.",
    ),
    Failure(
        "another percentage",
        SIMULATION,
        SIMULATE,
        exited(SIMULATION, changed(SIMULATE, "20.00%", "10.00%")),
        "number",
        "In line 5 the number is 10.00; expected 20.00.",
    ),
    Failure(
        "one round too few",
        SIMULATION,
        SIMULATE,
        exited(SIMULATION, changed(SIMULATE, "|  6", "|  5")),
        "number",
        "In line 8 the number is 5, one less than the expected 6.",
    ),
    Failure(
        "a number that counts what follows",
        game(),
        "There are 3 lines.\n\nEnter: 1 to 3\nHello\nWorld\nthe end\n",
        exited(game(), "There are 2 lines.\n\nEnter: 1 to 2\nHello\nthe end\n"),
        "number",
        "In line 1 the number is 2, one less than the expected 3; later line 5, `World`, is missing; "
        "all else is right, one line too early.",
    ),
    Failure(
        "a number that more differs with at once",
        game(),
        "Player 1 wins.\nHand: 3 4\nthe end\n",
        exited(game(), "Player 2 wins.\nHand: none\nthe end\n"),
        "number",
        "In line 1 the number is 2, one more than the expected 1.",
    ),
    Failure(
        "a card for another, in letters for a picture",
        game(),
        "Deck \U0001f0b1\nfull\nHand: \U0001f0a7 \U0001f0b5\n",
        exited(game(), "Deck \U0001f0b1\nfull\nHand: 8S \U0001f0b5\n"),
        "card",
        "In line 3 the 8 of spades (8S) is shown where the 7 of spades (\U0001f0a7) is expected.",
    ),
    Failure(
        "a card in letters for its picture",
        game(),
        "Deck \U0001f0b1\nfull\nHand: \U0001f0a7 \U0001f0b5\n",
        exited(game(), "Deck \U0001f0b1\nfull\nHand: 7♠ \U0001f0b5\n"),
        "card-notation",
        "In line 3 the cards are right, but written in another way: `7♠`, expected `\U0001f0a7`.",
    ),
    Failure(
        "a card for another in the foundation",
        game(),
        "Deck \U0001f0b1\nfull\n XX     10♠      2♥\n",
        exited(game(), "Deck \U0001f0b1\nfull\n XX     10♠      5♥\n"),
        "card",
        "In line 3 the 5 of hearts (5♥) is shown where the 2 of hearts (2♥) is expected.",
    ),
    Failure(
        "knights in place of queens",
        game(),
        "Deck \U0001f0b1\nfull\n\U0001f0cd \U0001f0b5 \U0001f0cd\n",
        exited(game(), "Deck \U0001f0b1\nfull\n\U0001f0cc \U0001f0b5 \U0001f0cc\n"),
        "card",
        "In line 3 the knight of diamonds (\U0001f0cc) is shown where the queen of diamonds (\U0001f0cd) is expected.",
    ),
    Failure(
        "the back of a card",
        game(),
        "Deck \U0001f0b1\nfull\n\U0001f0a0 \U0001f0b5\n",
        exited(game(), "Deck \U0001f0b1\nfull\n\U0001f0a1 \U0001f0b5\n"),
        "card",
        "In line 3 the ace of spades (\U0001f0a1) is shown where the card \U0001f0a0 is expected.",
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
        "sixty lines too many",
        game(),
        "Start\nthe board\nthe end\n",
        exited(game(), "Start\n" + "".join(f"row {number}\n" for number in range(60)) + "the board\nthe end\n"),
        "extra-line",
        "60 lines from line 2 on should not be there, among them `row 0`; all else is right, 60 lines too late.",
    ),
)
