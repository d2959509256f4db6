"""The causes that only tests of screens have."""

from grader.model.cause import Cause, CauseSubject

SCREEN_ESCAPE = Cause("screen-escape", CauseSubject.CHARACTERS)
"""A code that should change colours or move the cursor appears on the screen as text.

> On the first screen, row 1 shows a control code as text: `^[[31mred`.

In curses, set colours with `attron` and `color_pair`, and draw text with `addstr`. Do not print such codes yourself.
"""
SCREEN_NOT_REDRAWN = Cause("screen-not-redrawn", CauseSubject.CONTENT)
"""The key that was pressed should have changed the screen, but nothing happened.

> After `<down>`, the text on the screen is as before; expected in row 3: ` Quit`.

Check that your program handles this key, and that it draws the screen again before it waits for the next one. If no
arrow key works, call `keypad(True)` for the window whose `getch` you use. For Enter, `getch` returns 10.
"""
SCREEN_NOT_CLEARED = Cause("screen-not-cleared", CauseSubject.CONTENT)
"""Parts of an earlier screen are still visible.

> After `<enter>`, row 5 still shows `Game over` of the screen before.

Before you draw, clear the screen with `erase`, or write spaces over the old text.
"""
SCREEN_ENDED = Cause("screen-ended", CauseSubject.CONTENT)
"""The program ended too early, or still waits for a key when it should have ended.

> After `q`, the program has ended; expected a screen with `Menu` in row 1.

> After `q`, the program still waits for a key; it should have ended.

Check what your program does with this key.
"""
SCREEN_SKIPPED = Cause("screen-skipped", CauseSubject.CONTENT)
"""A screen is missing: the next one is shown at once, before its key is pressed.

> After `<enter>`, the screen is the one expected only after the next key, `x`; expected first, in row 8: `X wins.`.

Draw the missing screen, and wait for a key with `getch` before you draw the next one.
"""
SCREEN_DEAL = Cause("screen-deal", CauseSubject.PROGRAM)
"""Most cards on the screens are others than expected, although they are in the right places.

> After `<space>`, the cards are not those for the argument 2: in row 2, `J♣` is shown where `10♠` is expected. Does
> seed() get this number, as an int, before shuffle()? Is the deck built and laid out in the right order?

Run your program twice with the same seed. If the cards differ, they do not depend on it: pass it to `seed`, or to
`Random`, before you shuffle. Otherwise, compare how you build, shuffle and lay out the deck with the handout.
"""
SCREEN_EMPTY = Cause("screen-empty", CauseSubject.CONTENT)
"""Nothing is on the screen.

> After `<enter>`, the screen is empty; expected in row 2: `Your hand`.

A window hides what is below it, so refresh the right one last; `getch` refreshes the window that it belongs to. The
screen is cleared when curses ends, so print a last result after that.
"""
SCREEN_SHIFTED = Cause("screen-shifted", CauseSubject.CONTENT)
"""Everything, or a row, is drawn correctly, but in the wrong place.

> On the first screen, everything is 1 column too far to the left.

> On the first screen, `Turns: 0` is at row 12, column 3; expected at 11, 3.

Reports count rows and columns from 1. In curses, they start at 0, and the row comes first:
`addstr(row, column, text)`.
"""
SCREEN_MARK = Cause("screen-mark", CauseSubject.CONTENT)
"""Only a mark, such as the one at the chosen item of a menu, is in the wrong place.

> After `<down>`, the `>` is at row 4, column 2; expected at 5, 2.

Check how each key moves the mark, especially at the first and last item.
"""
SCREEN_TEXT = Cause("screen-text", CauseSubject.CONTENT)
"""Part of the screen shows the wrong text.

> After `<right>`, row 3 is `Score: 10`; expected `Score: 20`.

Compare this row with the expected one, and find the line of your program that draws it.
"""
SCREEN_STYLE = Cause("screen-style", CauseSubject.CHARACTERS)
"""The text on the screen is correct, but its colours, its style (such as bold) or the cursor is wrong.

> After `<down>`, the text is right, but this is not: row 3, columns 1–10: `bold`; expected `reverse`.

In curses, check attributes such as `A_REVERSE`, the colour pairs, and where you move or hide the cursor (`curs_set`).
"""
DRAWS = Cause("draws", CauseSubject.PROGRAM)
"""Your program moves the cursor around the screen, as curses does, but the test expects plain lines.

> The program draws on the screen (it moves the cursor); expected plain lines, as `print` writes them.

Print each line with `print`, without curses and without codes that move the cursor.
"""
CAUSES = (
    SCREEN_ESCAPE,
    SCREEN_NOT_REDRAWN,
    SCREEN_NOT_CLEARED,
    SCREEN_ENDED,
    SCREEN_SKIPPED,
    SCREEN_DEAL,
    SCREEN_EMPTY,
    SCREEN_SHIFTED,
    SCREEN_MARK,
    SCREEN_TEXT,
    SCREEN_STYLE,
)
