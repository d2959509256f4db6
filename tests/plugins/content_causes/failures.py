"""Programs that print other cards, or right values in wrong places."""

from dataclasses import replace

from grader.model.program import ProvidedSettings
from tests.judge.causes.failures import LOST, LOST_GAME, SIMULATE, SIMULATION, WON, Failure, changed
from tests.judge.sessions import exited, expected_transcript, game

DEALT = replace(game(), provision=ProvidedSettings(deck="6C KH ..."))

FAILURES = (
    Failure(
        "cards in another order",
        game(),
        "Hands\nHand: TH 9C 2S\n",
        exited(game(), "Hands\nHand: 9C 2S TH\n"),
        "word-order",
        "Line 2 has the right cards in another order: `Hand: 9C 2S TH`; expected `Hand: TH 9C 2S`.",
    ),
    Failure(
        "two cards exchanged",
        game("Ann", "y"),
        "Name: Ann\nTH and 4S\nOn? y\nPlayer 1: TH is higher than 4S\nBye\n",
        exited(game("Ann", "y"), "Name: Ann\nTH and 4S\nOn? y\nPlayer 1: 4S is higher than TH\nBye\n"),
        "word-order",
        "After the input `y`: in line 4 `4S` and `TH` are exchanged: it is `Player 1: 4S is higher than TH`; "
        "expected `Player 1: TH is higher than 4S`.",
    ),
    Failure(
        "two numbers of a table exchanged",
        SIMULATION,
        SIMULATE,
        exited(SIMULATION, changed(changed(SIMULATE, " | 11 ", " | 6 "), " |  6 ", " |  11 ")),
        "word-order",
        "`6` in line 7 and `11` in line 8 are exchanged: line 7 should have `11`.",
    ),
    Failure(
        "the hands of two players exchanged",
        game("y"),
        "Hearts\nRules\nAnn: TH 9C (19)\nBob: 2S 3D (5)\nOn? y\nAnn plays TH\n",
        exited(game("y"), "Hearts\nRules\nAnn: 2S 3D (5)\nBob: TH 9C (19)\nOn? y\nAnn plays 2S\n"),
        "word-order",
        "`2S 3D` in line 3 and `TH 9C` in line 4 are exchanged: line 3 should have `TH 9C`.",
    ),
    Failure(
        "the cards of two players exchanged, with other lines between",
        game(),
        "Ann: TH\nBob: 9C\nCid: 2S\nBye\n",
        exited(game(), "Ann: 2S\nBob: 9C\nCid: TH\nBye\n"),
        "word-order",
        "`2S` in line 1 and `TH` in line 3 are exchanged: line 1 should have `TH`.",
    ),
    Failure(
        "another deal that has a hand of the right one",
        DEALT,
        "Ann: TH 9C\nBob: 2S 3D\nCid: 4S 5D\nBye\n",
        exited(DEALT, "Ann: 2S 3D\nBob: KH QC\nCid: TH 9C\nBye\n"),
        "wrong-deal",
        "The first card is wrong (2S in line 1, expected TH): do cards come from the right end of the deck, "
        "and in the right order?",
    ),
    Failure(
        "cards from the other end of the deck, and what follows from them",
        DEALT,
        "Game\nRules\nMenu\nTH beats 9C: you win\n",
        exited(DEALT, "Game\nRules\nMenu\n4S loses to KC: you lose\n"),
        "wrong-deal",
        "The first card is wrong (4S in line 4, expected TH): do cards come from the right end of the deck, "
        "and in the right order?",
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
        "groups side by side, the first wrong one in a later line",
        game(),
        "Lost\nTH 2C\n\n  TH 9C  AS 3C  2D 4S\n  5H 6H  7H 8H  9H JH\n",
        exited(game(), "Lost\nTH 2C\n\n  TH 9C  AS 3C  9H JH\n  5H 6H  7H 2D  4S 8H\n"),
        "card-group",
        "The first wrong group of cards in lines 4 to 5 is the one in place 2: in line 5 the 2 of diamonds (2D) is "
        "shown where the 8 of hearts (8H) is expected.",
    ),
    Failure(
        "groups side by side, two cards of the first wrong one",
        game(),
        "Lost\nTH 2C\n\n  TH 9C  AS 3C  2D 4S\n  5H 6H  7H 8H  9H JH\n",
        exited(game(), "Lost\nTH 2C\n\n  TH 9C  AS 3C  9H JH\n  5H 6H  8H 7H  2D 4S\n"),
        "card-group",
        "The first wrong group of cards in lines 4 to 5 is the one in place 2: it is `AS 3C / 8H 7H`; "
        "expected `AS 3C / 7H 8H`.",
    ),
    Failure(
        "a card in another column",
        game(),
        "TH 9C\nCan go\n\t\t5H\nTH\t9C\t8S\nEnd\n",
        exited(game(), "TH 9C\nCan go\n5H\nTH\t9C\t8S\nThe end\n"),
        "card",
        "In line 3 `5H` stands in column 1; expected in column 3.",
    ),
    Failure(
        "a card alone in its column, in another line",
        game(),
        "TH 9C\nStarting a column\n\t\tAC\n\n\n5H\nEnd\n",
        exited(game(), "TH 9C\nStarting a column\n5H\t\tAC\n\n\n\nEnd\n"),
        "card-line",
        "The 5 of hearts (5H) stands in line 3; expected in line 6.",
    ),
    Failure(
        "a card alone in its line, in an earlier one",
        game(),
        "TH 9C\nStarting a column\n\n\n\n5H\nEnd\n",
        exited(game(), "TH 9C\nStarting a column\n5H\n\n\n\nThe end\n"),
        "card-line",
        "The 5 of hearts (5H) stands in line 3; expected in line 6.",
    ),
    Failure(
        "a card at the end of another row",
        game(),
        "TH 9C\nExtending a row\n\tAC 3C\n\t2S 4H\nEnd\n",
        exited(game(), "TH 9C\nExtending a row\n\tAC 3C 4H\n\t2S\nThe end\n"),
        "card",
        "The 4 of hearts (4H) stands in line 3; expected in line 4.",
    ),
    Failure(
        "a card in another row than expected, further down",
        game(),
        "TH 9C\nExtending a row\n\tAC 4H\n\t2S\nEnd\n",
        exited(game(), "TH 9C\nExtending a row\n\tAC\n\t2S 4H\nThe end\n"),
        "card",
        "The 4 of hearts (4H) stands in line 4; expected in line 3.",
    ),
    Failure(
        "a card in the hand of another player",
        game(),
        "TH 9C\nHand1: [AC, 4H]\nHand2: [2S]\nEnd\n",
        exited(game(), "TH 9C\nHand1: [AC]\nHand2: [2S, 4H]\nThe end\n"),
        "card",
        "In line 2 the 4 of hearts (4H) is missing.",
    ),
    Failure(
        "suits shown as others",
        game(),
        "Lost\nTH 9C AS\nKS 2C 3C\n",
        exited(game(), "Lost\nTH 9S AC\nKC 2S 3S\n"),
        "card-notation",
        "The cards are right, but shown with the wrong suit: clubs for spades, spades for clubs.",
    ),
    Failure(
        "ranks shown as others",
        game(),
        "Lost\nQH 9C KS\nKH 2C QC\n",
        exited(game(), "Lost\nJH 9C QS\nQH 2C JC\n"),
        "card-notation",
        "The cards are right, but shown with the wrong rank: queen for king, jack for queen.",
    ),
    Failure(
        "cards of another seed",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(expected_transcript("s1-seed-2.canonical"), ": 2", ": 0")),
        "wrong-deal",
        (
            "The first card is wrong (🂺 in line 4, expected 🂧): is the deck sorted, does seed() get "
            "an int, not text, before shuffle(), and do cards come from the right end?"
        ),
    ),
    Failure(
        "a deck that is not shuffled",
        game(),
        "Hand: 9C 2H TH AS\nBye\n",
        exited(game(), "Hand: KS QS JS TS\nBye\n"),
        "wrong-deal",
        "The cards from line 1 on are those of a new deck, KS and so on, where 9C is expected: is the deck shuffled?",
    ),
    Failure(
        "another deal and result",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(WON, ": 3", ": 0")),
        "wrong-deal",
        (
            "The first card is wrong (🃁 in line 4, expected 🂧): is the deck sorted, does seed() get "
            "an int, not text, before shuffle(), and do cards come from the right end?"
        ),
    ),
    Failure(
        "longer columns at the other end of the board",
        DEALT,
        "Rules\nMenu\n\t XX\t XX\t XX\n\t XX\t 6C\t KH\n\t 8H\t   \t   \n-----\n",
        exited(DEALT, "Rules\nMenu\n\t XX\t XX\t XX\n\t 2D\t JS\t XX\n\t   \t   \t KH\n-----\n"),
        "board-shape",
        "The board has another shape: column 1 ends in line 4; expected in line 5.",
    ),
    Failure(
        "a longer column, without a margin",
        DEALT,
        "Rules\nMenu\nXX\tXX\n6C\tKH\n-----\n",
        exited(DEALT, "Rules\nMenu\nXX\tXX\n6C\tXX\n  \t5D\n-----\n"),
        "board-shape",
        "The board has another shape: column 2 ends in line 5; expected in line 4.",
    ),
    Failure(
        "a column too many, drawn with blanks",
        DEALT,
        "Menu\n\tXX\tXX\n\t6C\tKH\n",
        exited(DEALT, "Menu\n        XX      XX      XX\n        6C      KH      5D\n"),
        "board-shape",
        "The board has another shape in line 2: `XX XX XX`; expected `XX XX`.",
    ),
    Failure(
        "the top cards face up instead of the bottom ones",
        DEALT,
        "Menu\n\tXX\tXX\n\t6C\tKH\n",
        exited(DEALT, "Menu\n\t2D\tJS\n\tXX\tXX\n"),
        "board-shape",
        "The board has another shape in line 2: `2D JS`; expected `XX XX`.",
    ),
    Failure(
        "other cards in the right places, from the deck of the test",
        DEALT,
        "Rules\nMenu\n\tXX\tAS\t10H\n",
        exited(DEALT, "Rules\nMenu\n\tXX\tJC\t8D\n"),
        "wrong-deal",
        (
            "The first card is wrong (JC in line 3, expected AS): do cards come from the right end of the deck, and in "
            "the right order?"
        ),
    ),
    Failure(
        "other cards from a deck that the program shuffles",
        replace(game(), provision=ProvidedSettings(edition="lab-random")),
        "Rules\nMenu\n\tXX\tAS\t10H\n",
        exited(DEALT, "Rules\nMenu\n\tXX\tJC\t8D\n"),
        "wrong-deal",
        (
            "The first card is wrong (JC in line 3, expected AS): is the deck shuffled with the seed of the handout, "
            "and do cards come from the right end?"
        ),
    ),
    Failure(
        "a run that stays below a card like one elsewhere",
        game(),
        "Tableau:\nXX\tXX\t9H\n2D\tAD\t8C\n  \t  \tKS\n-----\n",
        exited(game(), "Tableau:\nXX\tXX\t9H\nXX\tAD\t8C\nKS\t  \tKS\nQS\t\t\nJS\t\t\n-----\n"),
        "text",
        (
            "In line 3 there is `XX` where `2D` is expected, and 3 cards after it should not be there: `KS QS JS` "
            "and so on."
        ),
    ),
    Failure(
        "a run that stays on its stack",
        game(),
        "Tableau:\nXX\tXX\tXX\n5D\tAD\t8C\n4D\t  \t  \n-----\n",
        exited(game(), "Tableau:\nXX\tXX\tXX\n5D\tAD\t8C\nXX\t  \t  \n4S\t\t\n3S\t\t\n2S\t\t\nAS\t\t\n-----\n"),
        "text",
        (
            "In line 4 there is `XX` where `4D` is expected, and 4 cards after it should not be there: `4S 3S 2S` "
            "and so on."
        ),
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
        "a hand of a suit that is sorted the other way round",
        game(),
        "Hand: 3♠ 5♠ 9♠ K♠\n",
        exited(game(), "Hand: K♠ 9♠ 5♠ 3♠\n"),
        "word-order",
        "Line 1 has the right cards in another order: `Hand: K♠ 9♠ 5♠ 3♠`; expected `Hand: 3♠ 5♠ 9♠ K♠`.",
    ),
    Failure(
        "knights in place of queens",
        game(),
        "Deck \U0001f0b1\nfull\n\U0001f0cd \U0001f0b5 \U0001f0cd\n",
        exited(game(), "Deck \U0001f0b1\nfull\n\U0001f0cc \U0001f0b5 \U0001f0cc\n"),
        "card-notation",
        "The cards are right, but shown with the wrong rank: knight for queen.",
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
        "another card later on",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, "\U0001f0ab \U0001f0c1", "\U0001f0ab \U0001f0c2")),
        "card",
        "In line 5 the 2 of diamonds (🃂) is shown where the ace of diamonds (🃁) is expected.",
    ),
)
