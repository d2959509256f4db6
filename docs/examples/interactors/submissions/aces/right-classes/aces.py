from random import sample


class Card:
    names = "2 3 4 5 6 7 8 9 10 J Q K A".split()

    def __init__(self, number):
        self.suit, self.rank = divmod(number, 13)

    def __str__(self):
        return self.names[self.rank] + "♣♦♥♠"[self.suit]

    def beats(self, other):
        return self.suit == other.suit and self.rank > other.rank


class Game:
    def __init__(self):
        self.stock = [Card(number) for number in sample(range(52), 52)]
        self.piles = {name: [] for name in "1234"}
        self.deal()

    def __str__(self):
        piles = (f"{name}: {' '.join(map(str, pile))}" for name, pile in self.piles.items())
        return "\n".join([f"Stock: {len(self.stock)}", *piles])

    def deal(self):
        for pile in self.piles.values():
            pile.append(self.stock.pop())

    def is_allowed(self, kind, names):
        piles = [self.piles.get(name) for name in names]
        if None in piles:
            return False
        if kind == "d":
            return bool(self.stock) and not names
        if kind == "x":
            return len(piles) == 1 and any(
                pile and pile[-1].beats(piles[0][-1]) for pile in self.piles.values() if piles[0]
            )
        return kind == "m" and len(piles) == 2 and bool(piles[0]) and not piles[1]

    def make(self, kind, names):
        if kind == "d":
            self.deal()
        else:
            card = self.piles[names[0]].pop()
            if kind == "m":
                self.piles[names[1]].append(card)

    def left(self):
        return sum(len(pile) for pile in self.piles.values())


game = Game()
print(game)
while game.stock or game.left() != 4:
    kind, *names = input("Move: ").split()
    if kind == "q":
        print(f"Cards left: {game.left()}")
        break
    if game.is_allowed(kind, names):
        game.make(kind, names)
        print(game)
    else:
        print("Not allowed.")
else:
    print("You won!")
