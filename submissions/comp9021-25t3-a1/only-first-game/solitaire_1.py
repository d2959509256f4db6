# The second game is not finished, I only hand in the first one.

import random

SPACES = "    "


def shuffled(x):
    """gives the deck with the top card FIRST, because that is easier for me"""
    deck = list(range(32))
    random.seed(x)
    random.shuffle(deck)
    deck.reverse()
    return deck


def card_as_text(card):
    if card == -1:
        return ""
    symbols = [0xB7, 0xB8, 0xB9, 0xBA, 0xBB, 0xBD, 0xBE, 0xB1]
    symbol = symbols[card % 8]
    if 8 <= card <= 15:
        symbol += 0x10
    if 16 <= card <= 23:
        symbol += 0x20
    if card >= 24:
        symbol -= 0x10
    return chr(0x1F000 + symbol)


def is_pair(card1, card2):
    return card1 != -1 and card2 != -1 and card1 // 8 == card2 // 8


def throw_away_pairs(square):
    # -1 is an empty location
    changed = False
    if is_pair(square[0], square[1]):
        square[0] = square[1] = -1
        changed = True
    if is_pair(square[0], square[2]):
        square[0] = square[2] = -1
        changed = True
    if is_pair(square[1], square[2]):
        square[1] = square[2] = -1
        changed = True
    if is_pair(square[0], square[3]):
        square[0] = square[3] = -1
        changed = True
    if is_pair(square[1], square[3]):
        square[1] = square[3] = -1
        changed = True
    if is_pair(square[2], square[3]):
        square[2] = square[3] = -1
        changed = True
    return changed


def solitaire(x):
    deck = shuffled(x)
    square = deck[:4]
    position = 4
    squares = [square[:]]
    while position < 32 and throw_away_pairs(square):
        for location in range(4):
            if square[location] == -1 and position < 32:
                square[location] = deck[position]
                position += 1
        squares.append(square[:])
    return squares, 32 - position


def print_squares(squares):
    for start in range(0, len(squares), 6):
        end = min(start + 6, len(squares))
        print()
        for location in [0, 2]:
            for k in range(start, end):
                if squares[k][location] != -1:
                    print(SPACES, end="")
                    print(card_as_text(squares[k][location]), end=" ")
                    print(card_as_text(squares[k][location + 1]), end="")
            print()


def print_frequencies(results, n):
    print("Number of cards left | Number of rounds | Frequency")
    print("-" * 51)
    for cards in sorted(results):
        same = results[cards]
        for rounds in sorted(set(same)):
            line = ""
            if rounds == min(same):
                line += f"{cards:20}"
            else:
                line += " " * 20
            line += f" | {rounds:2} "
            if min(same) < max(same):
                line += f"({same.count(rounds) / n * 100:.2f}%)".ljust(13)
            else:
                line += " " * 13
            line += " |"
            if rounds == min(same):
                line += f" {len(same) / n * 100:8.2f}%"
            print(line)


def simulate(n, i):
    results = {}
    for x in range(i, i + n):
        squares, cards = solitaire(x)
        if cards in results:
            results[cards] = results[cards] + [len(squares)]
        else:
            results[cards] = [len(squares)]
    print_frequencies(results, n)


if __name__ == "__main__":
    x = int(input("Enter an integer to pass to the seed() function: "))
    squares, cards = solitaire(x)
    if cards > 0:
        print("So sorry that you lost! \u2639\ufe0f")
    else:
        print("So glad that you won! \U0001f60a")
    print_squares(squares)
