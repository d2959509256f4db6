"""Noughts and crosses for two players, with a menu."""

import curses

ITEMS = ["New game", "Help", "Quit"]
HELP = ["Move with the arrow keys.", "Press Enter to choose, q to go back."]
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def choose(screen):
    """Show the menu and return the number of the chosen item."""
    chosen = 0
    while True:
        screen.erase()
        screen.addstr(0, 2, "NOUGHTS AND CROSSES", curses.A_BOLD)
        for number, item in enumerate(ITEMS):
            mark = ">" if number == chosen else " "
            style = curses.A_REVERSE if number == chosen else curses.A_NORMAL
            screen.addstr(2 + number, 2, f"{mark} {item}", style)
        key = screen.getch()
        if key == curses.KEY_UP:
            chosen = (chosen - 1) % len(ITEMS)
        elif key == curses.KEY_DOWN:
            chosen = min(chosen + 1, len(ITEMS) - 1)
        elif key in (curses.KEY_ENTER, 10, 13):
            return chosen


def show_help(screen):
    """Show the rules until a key is pressed."""
    screen.erase()
    for row, line in enumerate(HELP):
        screen.addstr(1 + row, 2, line)
    screen.getch()


def winner_of(board):
    """Return the player with three in a row, or an empty text."""
    for first, second, third in LINES:
        if board[first] != " " and board[first] == board[second] == board[third]:
            return board[first]
    return ""


def draw(screen, board, message):
    """Draw the board and a message below it."""
    screen.erase()
    for row in range(3):
        cells = board[3 * row : 3 * row + 3]
        screen.addstr(1 + 2 * row, 4, " │ ".join(cells))
        if row < 2:
            screen.addstr(2 + 2 * row, 3, "───┼───┼───")
    screen.addstr(7, 2, message)


def play(screen):
    """Play one game."""
    board, player, place = [" "] * 9, "X", 4
    steps = {curses.KEY_UP: -3, curses.KEY_DOWN: 3, curses.KEY_LEFT: -1, curses.KEY_RIGHT: 1}
    curses.curs_set(1)
    while True:
        winner = winner_of(board)
        if winner or " " not in board:
            curses.curs_set(0)
            draw(screen, board, f"{winner} wins." if winner else "A draw.")
            screen.getch()
            return
        draw(screen, board, f"{player} to move")
        screen.move(1 + 2 * (place // 3), 4 + 4 * (place % 3))
        key = screen.getch()
        if key in steps and 0 <= place + steps[key] < 9:
            place += steps[key]
        elif key in (curses.KEY_ENTER, 10, 13) and board[place] == " ":
            board[place] = player
            player = "O" if player == "X" else "X"
        elif key == ord("q"):
            curses.curs_set(0)
            return


def main(screen):
    """Show the menu until the player quits."""
    curses.curs_set(0)
    while True:
        match choose(screen):
            case 0:
                play(screen)
            case 1:
                show_help(screen)
            case _:
                return


if __name__ == "__main__":
    curses.wrapper(main)
