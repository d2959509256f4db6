"""Programs that print characters that are easily mistaken for others."""

from dataclasses import replace

from tests.judge.causes.failures import (
    LOST,
    LOST_GAME,
    SECOND,
    SECOND_GAME,
    SIMULATE,
    SIMULATION,
    SQUARES,
    SQUARES_GAME,
    WON,
    WON_GAME,
    Failure,
    changed,
)
from tests.judge.sessions import exited

FAILURES = (
    Failure(
        "selector is missing, and more",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(changed(LOST, "\ufe0f", ""), "\U0001f0a7", "\U0001f0a8")),
        "variation-selector",
        "In line 2 the invisible character U+FE0F (variation selector-16) is missing after ☹.",
    ),
    Failure(
        "columns parted by another character, and more",
        SIMULATION,
        SIMULATE,
        exited(SIMULATION, changed(changed(SIMULATE, "|", "\u2502", 18), "28", "26")),
        "confusable-character",
        (
            "In line 3 there is U+2502 (box drawings light vertical) where U+007C (vertical line) is expected, "
            "which looks alike."
        ),
    ),
    Failure(
        "selector and trailing blank",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, "! \u2639\ufe0f\n", "!  \u2639\n")),
        "text",
        "Line 2 is `So sorry that you lost! ·☹`; expected `So sorry that you lost! ☹<U+FE0F>`.",
    ),
    Failure(
        "selector is missing",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, "\ufe0f", "")),
        "variation-selector",
        ("In line 2 the invisible character U+FE0F (variation selector-16) is missing after ☹; all else is right."),
    ),
    Failure(
        "selector is extra",
        WON_GAME,
        WON,
        exited(WON_GAME, changed(WON, "\U0001f60a", "\U0001f60a\ufe0f")),
        "variation-selector",
        (
            "In line 2 there is an extra invisible character, U+FE0F (variation selector-16), after 😊; all "
            "else is right."
        ),
    ),
    Failure(
        "selectors are missing everywhere",
        SECOND_GAME,
        SECOND,
        exited(SECOND_GAME, changed(SECOND, "\ufe0f", "", 133)),
        "variation-selector",
        (
            "In line 12 the invisible character U+FE0F (variation selector-16) is missing after 😊; 132 "
            "more lines differ in this way, all else is right."
        ),
    ),
    Failure(
        "selector and more",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, "\ufe0f", " ")),
        "symbol",
        "In line 2 there is U+0020 (space) where U+FE0F (variation selector-16) is expected.",
    ),
    Failure(
        "prompt in small letters",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, "Enter", "enter")),
        "case",
        (
            "In the prompt in line 1 uppercase and lowercase letters differ: `enter`, expected `Enter`; all else is right."
        ),
    ),
    Failure(
        "byte order mark",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, "\ufeff" + LOST),
        "invisible-character",
        (
            "In the prompt in line 1 there is an extra invisible character, byte order mark (U+FEFF), at "
            "character 1; all else is right."
        ),
    ),
    Failure(
        "blank at the end",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, "\ufe0f\n", "\ufe0f \n")),
        "trailing-whitespace",
        "In line 2 there is one extra space at the end; all else is right.",
    ),
    Failure(
        "blanks in a blank line",
        SQUARES_GAME,
        SQUARES,
        exited(SQUARES_GAME, SQUARES[:-1] + "    \n"),
        "trailing-whitespace",
        "In line 11 there are 4 spaces, but it should be empty; all else is right.",
    ),
    Failure(
        "tabs in blank lines",
        SECOND_GAME,
        SECOND,
        exited(SECOND_GAME, changed(SECOND, "\n\n\n\n", "\n\n\t\t\n\n")),
        "trailing-whitespace",
        "In line 17 there are 2 tabs, but it should be empty; all else is right.",
    ),
    Failure(
        "indented too little",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, "\n    ", "\n   ", 2)),
        "spacing",
        ("In line 4 there are 3 spaces before `🂧`, expected 4; 1 more line differs in this way, all else is right."),
    ),
    Failure(
        "cards too near",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, " " * 4, " " * 3, 6)),
        "spacing",
        (
            "In line 4 there are 3 spaces before `🂧`, expected 4 (and 2 more places in the line); "
            "1 more line differs in this way, all else is right."
        ),
    ),
    Failure(
        "blanks for tabs",
        SECOND_GAME,
        SECOND,
        exited(SECOND_GAME, changed(SECOND, "\t", "    ", 900)),
        "tabs",
        ("In line 15 there are spaces where a tab is expected; 239 more lines differ in this way, all else is right."),
    ),
    Failure(
        "a tab too few",
        SECOND_GAME,
        SECOND,
        exited(SECOND_GAME, changed(SECOND, "\t" * 5, "\t" * 4, 82)),
        "tabs",
        "In line 15 there are 4 tabs before `🃂`, expected 5; 81 more lines differ in this way, all else is right.",
    ),
    Failure(
        "tabs for blanks",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, " " * 4, "\t", 6)),
        "tabs",
        ("In line 4 there are 3 tabs where spaces are expected; 1 more line differs in this way, all else is right."),
    ),
    Failure(
        "small letter",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, "So", "so")),
        "case",
        "In line 2 uppercase and lowercase letters differ: `so`, expected `So`; all else is right.",
    ),
    Failure(
        "ruler of another character",
        SIMULATION,
        SIMULATE,
        exited(SIMULATION, changed(SIMULATE, "-", "\u2500", 51)),
        "confusable-character",
        (
            "In line 4 there is U+2500 (box drawings light horizontal) where U+002D (hyphen-minus) is "
            "expected, which looks alike; all else is right."
        ),
    ),
    Failure(
        "no-break spaces",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, "    ", "\u00a0" * 4, 6)),
        "confusable-character",
        (
            "In line 4 there is U+00A0 (no-break space) where U+0020 (space) is expected, which looks alike; "
            "1 more line differs in this way, all else is right."
        ),
    ),
    Failure(
        "carriage return",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, "\ufe0f\n", "\ufe0f\r\n")),
        "carriage-return",
        "In line 2 there is an extra carriage return (U+000D); all else is right.",
    ),
    Failure(
        "zero-width space",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, "!", "!\u200b")),
        "invisible-character",
        ("In line 2 there is an extra invisible character, U+200B (zero width space), after !; all else is right."),
    ),
    Failure(
        "colours",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, "So sorry", "\x1b[31mSo sorry\x1b[0m")),
        "ansi-escape",
        "In line 2 there are terminal commands, such as for colours or to clear the screen; all else is right.",
    ),
    Failure(
        "accents in two characters",
        LOST_GAME,
        changed(LOST, "sorry", "d\u00e9sol\u00e9"),
        exited(LOST_GAME, changed(LOST, "sorry", "de\u0301sole\u0301")),
        "unicode-normalization",
        (
            "In line 2 an accented letter is written as several characters instead of one, though it looks "
            "the same; all else is right."
        ),
    ),
    Failure(
        "UTF-8 as Latin-1",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, LOST.encode().decode("latin-1")),
        "encoding",
        (
            "In line 2 the characters that are not ASCII are printed byte by byte, as if UTF-8 were Latin-1; all else "
            "is right."
        ),
    ),
    Failure(
        "question marks",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, LOST.encode("ascii", "replace").decode()),
        "encoding",
        "In line 2 the characters that are not ASCII are replaced by question marks; all else is right.",
    ),
    Failure(
        "UTF-16",
        LOST_GAME,
        LOST,
        replace(exited(LOST_GAME, LOST), transcript=LOST.encode("utf-16-le").decode("utf-8", "surrogateescape")),
        "encoding",
        "Line 1 is printed in UTF-16, not in UTF-8.",
    ),
    Failure(
        "another emoji",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, "\u2639\ufe0f", "\U0001f61e")),
        "symbol",
        "In line 2 there is U+1F61E (disappointed face) where U+2639 (white frowning face) is expected.",
    ),
    Failure(
        "undecodable byte",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, "\u2639", "\udce2")),
        "symbol",
        "In line 2 there is byte 0xE2 (not UTF-8) where U+2639 (white frowning face) is expected.",
    ),
)
