"""Programs that ask for input in another way than expected."""

from dataclasses import replace

from grader.model.outcome import Termination, TypedLine
from tests.judge.causes.failures import (
    LOST,
    LOST_GAME,
    MENU,
    MENU_GAME,
    SIMULATE,
    SIMULATION,
    Failure,
    changed,
    first_lines,
)
from tests.judge.sessions import ended, exited, game

IN_PLAY = """\
Traceback (most recent call last):
  File "solitaire_1.py", line 40, in <module>
    play()
  File "solitaire_1.py", line 12, in play
    card = deck[52]
           ~~~~^^^^
IndexError: list index out of range
"""
ASKS_AGAIN = """\
Play again? Traceback (most recent call last):
  File "solitaire_1.py", line 41, in <module>
    again = input("Play again? ")
            ^^^^^^^^^^^^^^^^^^^^^
EOFError: EOF when reading a line
"""

CALLED_TOO_OFTEN = """\
Traceback (most recent call last):
  File "solitaire_1.py", line 1, in <module>
    n = input()
EOFError: EOF when reading a line
"""

FAILURES = (
    Failure(
        "input in a test that types nothing",
        game(),
        "Sum: 6\n",
        exited(game(), CALLED_TOO_OFTEN, 1),
        "reads-past-input",
        "The program asks for input, but this test types nothing (line 1: `n = input()`).",
    ),
    Failure(
        "read as a password",
        LOST_GAME,
        LOST,
        replace(exited(LOST_GAME, changed(LOST, ": 0", ": ")), typed=(TypedLine(LOST.index("0"), "0"),), unsent=0),
        "hidden-input",
        "In line 1 the input `0` does not show as it is typed: is it read with getpass in place of input()?",
    ),
    Failure(
        "password that shows",
        game("ann", "xy"),
        "User: ann\nPassword: \nin\n",
        exited(game("ann", "xy"), "User: ann\nPassword: xy\nin\n"),
        "shown-input",
        "In line 2 the input `xy` shows as it is typed; expected hidden input: is it read with input() in place of "
        "getpass?",
    ),
    Failure(
        "prompt without its blank",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, ": 0", ":0")),
        "wrong-prompt",
        "In the prompt in line 1 one space is missing at the end; all else is right.",
    ),
    Failure(
        "prompt with two blanks",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, ": 0", ":  0")),
        "wrong-prompt",
        "In the prompt in line 1 there is one extra space at the end; all else is right.",
    ),
    Failure(
        "prompt without its blank, and more",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(changed(LOST, ": 0", ":0"), "sorry", "sad")),
        "wrong-prompt",
        "In the prompt in line 1 one space is missing at the end.",
    ),
    Failure(
        "other prompt",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, "Enter an integer", "Please enter a number")),
        "wrong-prompt",
        (
            "The prompt in line 1 is `Please enter a number to pass to the seed() function: `; expected "
            "`Enter an integer to pass to the seed() function: `; all else is right."
        ),
    ),
    Failure(
        "no prompt",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, "Enter an integer to pass to the seed() function: ", "")),
        "wrong-prompt",
        (
            "In line 1 the program asks for input without the prompt `Enter an integer to pass to the seed() "
            "function: `; all else is right."
        ),
    ),
    Failure(
        "capital Q ends the program",
        MENU_GAME,
        MENU,
        exited(MENU_GAME, first_lines(MENU, 9)),
        "unread-input",
        "The program ends after the input `Q`, before it asks for the input `q`.",
    ),
    Failure(
        "prompt is closed",
        SIMULATION,
        SIMULATE,
        exited(SIMULATION, first_lines(SIMULATE, 1)),
        "unread-input",
        ("Python's prompt is closed before `simulate(10, 0)` can be typed: does the program call exit() or quit()?"),
    ),
    Failure(
        "other output, then an early end",
        MENU_GAME,
        MENU,
        exited(MENU_GAME, changed(first_lines(MENU, 9), "Enter: q to quit", "Enter q to quit")),
        "text",
        (
            "After the input `32`: line 5 is `Enter q to quit`; expected `Enter: q to quit`; later the program ends "
            "after the input `Q`, before it asks for the input `q`."
        ),
    ),
    Failure(
        "an early end, before a blank line",
        game("32", "", "q"),
        changed(MENU, "       Q\n", "       \n"),
        replace(exited(game("32"), first_lines(MENU, 8)), unsent=2),
        "unread-input",
        "The program ends after the input `32`, before it asks for the input, a blank line.",
    ),
    Failure(
        "a difference, a game that goes on, and no input left",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, changed(LOST, "sorry", "sad") + ASKS_AGAIN, exit_code=1),
        "text",
        (
            "Line 2 is `So sad that you lost! ☹\ufe0f`; expected `So sorry that you lost! ☹\ufe0f`; later the program "
            "asks for more input than the test types."
        ),
    ),
    Failure(
        "the end, two inputs too early",
        game("a", "b", "c"),
        "On? a\nOne\nOn? b\nTwo\nOn? c\n\nYou won!\n",
        replace(exited(game("a"), "On? a\n\nYou won!\n"), unsent=2),
        "unread-input",
        "Line 3, `You won!`, comes 2 inputs too early; expected `One`.",
    ),
    Failure(
        "the end, one input too early",
        game("a", "b", "c"),
        "On? a\nOne\nOn? b\nTwo\nOn? c\nYou won!\n",
        replace(exited(game("a", "b"), "On? a\nOne\nOn? b\nYou won!\n"), unsent=1),
        "unread-input",
        "After the input `b`: line 4, `You won!`, comes one input too early; expected `Two`.",
    ),
    Failure(
        "the end, two inputs too early, where input may be left",
        replace(game("a", "b", "c", "d"), may_leave_input=True),
        "On? a\nOne\nOn? b\nTwo\nOn? c\n\nYou won!\n",
        replace(exited(game("a"), "On? a\n\nYou won!\n"), unsent=3),
        "unread-input",
        "Line 3, `You won!`, comes 2 inputs too early; expected `One`.",
    ),
    Failure(
        "another end, too early",
        game("a", "b"),
        "On? a\nOne\nOn? b\nTwo\n",
        replace(exited(game("a"), "On? a\nYou won!\n"), unsent=1),
        "text",
        "Line 2 is `You won!`; expected `One`; later the program ends after the input `a`, before it asks for the "
        "input `b`.",
    ),
    Failure(
        "a difference, more input, and then no input left",
        MENU_GAME,
        MENU,
        exited(MENU_GAME, changed(MENU, "Enter: q to quit", "Enter q to quit") + ASKS_AGAIN, exit_code=1),
        "text",
        (
            "After the input `32`: line 5 is `Enter q to quit`; expected `Enter: q to quit`; later the program asks "
            "for more input than the test types."
        ),
    ),
    Failure(
        "one typed line printed again",
        MENU_GAME,
        MENU,
        exited(MENU_GAME, changed(MENU, "       Q\n", "       Q\nQ\n")),
        "echoed-input",
        "Line 10 repeats what was typed, `Q`: the terminal shows it already.",
    ),
    Failure(
        "asks too early",
        MENU_GAME,
        MENU,
        exited(MENU_GAME, changed(changed(MENU, "       Q\n", ""), "Enter: q", "       Q\nEnter: q")),
        "asks-at-another-time",
        ("In line 5 the program waits for input (`Q` was typed there); expected at this place: `Enter: q to quit`."),
    ),
    Failure(
        "asks at another place",
        MENU_GAME,
        MENU,
        exited(MENU_GAME, first_lines(MENU, 3) + "What now? Q\nBye\n"),
        "asks-at-another-time",
        ("In line 4 the program asks `What now? ` (`Q` was typed there); expected at this place: a blank line."),
    ),
    Failure(
        "import prints",
        SIMULATION,
        SIMULATE,
        exited(SIMULATION, changed(SIMULATE, "simulate\n", "simulate\nWelcome to solitaire\n")),
        "import-prints",
        (
            "Importing solitaire_1.py already prints `Welcome to solitaire`: put the code that runs the "
            "program under `if __name__ == '__main__':`."
        ),
    ),
    Failure(
        "import asks",
        SIMULATION,
        SIMULATE,
        exited(
            SIMULATION,
            first_lines(SIMULATE, 1)
            + "Enter an integer to pass to the seed() function: simulate(10, 0)\n"
            + IN_PLAY
            + ">>> \n",
        ),
        "import-asks-for-input",
        (
            "Importing solitaire_1.py already asks for input: put the code that runs the program under `if "
            "__name__ == '__main__':`."
        ),
    ),
    Failure(
        "reads past the end",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, LOST + ASKS_AGAIN, 1),
        "reads-past-input",
        (
            "The program asks for input again after the test's last line was typed (line 41: `again = "
            'input("Play again? ")`).'
        ),
    ),
    Failure(
        "asks for ever",
        LOST_GAME,
        LOST,
        ended(exited(LOST_GAME, LOST + "Play again? " * 3), Termination.KEEPS_READING),
        "reads-past-input",
        "The program keeps asking for input after the test's last line was typed.",
    ),
    Failure(
        "asks for ever, output right",
        LOST_GAME,
        LOST,
        ended(exited(LOST_GAME, LOST), Termination.KEEPS_READING),
        "reads-past-input",
        "The program keeps asking for input after the test's last line was typed.",
    ),
)
