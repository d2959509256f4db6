"""
Solitaire with 32 cards. The four locations are kept in a dictionary,
with keys 1 to 4 as in the specification.
"""
import random

FIRST = {'Hearts': 0x1F0B1, 'Diamonds': 0x1F0C1, 'Clubs': 0x1F0D1, 'Spades': 0x1F0A1}
OFFSET = {'Seven': 6, 'Eight': 7, 'Nine': 8, 'Ten': 9, 'Jack': 10, 'Queen': 12, 'King': 13, 'Ace': 0}

# from card number to (suit, symbol)
CARDS = {}
number = 0
for suit_name in FIRST:
    for value_name in OFFSET:
        CARDS[number] = (suit_name, chr(FIRST[suit_name] + OFFSET[value_name]))
        number += 1


def shuffle_deck(x):
    deck = [k for k in range(32)]
    random.seed(x)
    random.shuffle(deck)
    return deck


def find_pairs(locations):
    """Locations of the cards which go away."""
    by_suit = {suit: [] for suit in FIRST}
    for location in (1, 2, 3, 4):
        suit = CARDS[locations[location]][0]
        by_suit[suit].append(location)
    pairs = []
    for suit in by_suit:
        amount = len(by_suit[suit])
        if amount == 4:
            pairs += by_suit[suit]
        elif amount >= 2:
            pairs += by_suit[suit][:2]
    return sorted(pairs)


def play_game(x):
    deck = shuffle_deck(x)
    locations = {}
    for location in (1, 2, 3, 4):
        locations[location] = deck.pop()
    history = [dict(locations)]
    pairs = find_pairs(locations)
    while pairs and deck:
        for location in pairs:
            del locations[location]
        for location in pairs:
            if deck:
                locations[location] = deck.pop()
        history.append(dict(locations))
        if deck:
            pairs = find_pairs(locations)
    return history, deck


def make_row(squares, a, b):
    row = ''
    for locations in squares:
        if a in locations and b in locations:
            row += f"    {CARDS[locations[a]][1]} {CARDS[locations[b]][1]}"
    return row


def simulate(n, i):
    table = {}
    for game in range(n):
        history, deck = play_game(i + game)
        rounds = table.setdefault(len(deck), {})
        rounds[len(history)] = rounds.get(len(history), 0) + 1
    print("Number of cards left | Number of rounds | Frequency")
    print("-" * len("Number of cards left | Number of rounds | Frequency"))
    for left, rounds in sorted(table.items()):
        total = sum(rounds.values())
        if len(rounds) == 1:
            only, = rounds
            print(f"{left:>20} | {only:>2}{'':14} | {total * 100 / n:8.2f}%")
            continue
        start, end = f"{left:>20}", f" {total * 100 / n:8.2f}%"
        for how_many, count in sorted(rounds.items()):
            middle = f"{how_many:>2} ({count * 100 / n:.2f}%)"
            print(f"{start:20} | {middle:<16} |{end}")
            start = end = ''


def main():
    x = int(input("Enter an integer to pass to the seed() function: "))
    history, deck = play_game(x)
    if deck:
        print("So sorry that you lost! \u2639\ufe0f")
    else:
        print("So glad that you won! \U0001f60a")
    while history:
        squares, history = history[:6], history[6:]
        print()
        print(make_row(squares, 1, 2))
        print(make_row(squares, 3, 4))


if __name__ == "__main__":
    main()
