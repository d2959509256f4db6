"""The game of pairs, with cards that are turned over in place. The argument is the number of the deal."""

import curses
import random
import sys

SIZE = 4
FACES = ["A♠", "K♥", "Q♦", "J♣", "10♠", "9♥", "8♦", "7♣"]


def deal(number):
    """Return the faces of all cards."""
    cards = FACES * 2
    random.Random(number).shuffle(cards)
    return cards


def draw(screen, cards, solved, open_cards, place, turns):
    """Draw all cards and the status line."""
    screen.erase()
    for index, card in enumerate(cards):
        row, column = 2 + 2 * (index // SIZE), 2 + 6 * (index % SIZE)
        text = card if index in solved or index in open_cards else "##"
        red = "♥" in text or "♦" in text
        screen.addstr(row, column, f"[{text:>3}]", curses.color_pair(1) if red else curses.A_NORMAL)
    screen.addstr(2 + 2 * (place // SIZE), 1 + 6 * (place % SIZE), ">")
    screen.addstr(11, 2, f"Turns: {turns}   Pairs: {len(solved) // 2}")
    screen.refresh()


def main(screen):
    """Play until all pairs are found or the player leaves."""
    curses.curs_set(0)
    curses.init_pair(1, curses.COLOR_RED, curses.COLOR_BLACK)
    cards, solved, open_cards, place, turns = deal(int(sys.argv[1])), set(), [], 0, 0
    steps = {curses.KEY_UP: -SIZE, curses.KEY_DOWN: SIZE, curses.KEY_LEFT: -1, curses.KEY_RIGHT: 1}
    while len(solved) < len(cards):
        draw(screen, cards, solved, open_cards, place, turns)
        key = screen.getch()
        if len(open_cards) == 2:
            open_cards = []
        elif key in steps:
            place = (place + steps[key]) % len(cards)
        elif key == ord(" ") and place not in solved and place not in open_cards:
            open_cards.append(place)
            if len(open_cards) == 2:
                turns += 1
                if cards[open_cards[0]] == cards[open_cards[1]]:
                    solved |= set(open_cards)
                    open_cards = []
        elif key == ord("q"):
            break
    return len(solved) // 2, turns


if __name__ == "__main__":
    pairs, turns = curses.wrapper(main)
    print(f"{pairs} pairs in {turns} turns.")
