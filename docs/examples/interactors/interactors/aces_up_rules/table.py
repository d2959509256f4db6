"""What lies on the table, and which moves the rules allow."""

COLUMNS = 4
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
DECK = {rank + suit for suit in "♣♦♥♠" for rank in RANKS}


class Table:
    """The columns as they must be, and the cards that are not dealt yet."""

    def __init__(self):
        self.columns = [[] for _ in range(COLUMNS)]
        self.stock = set(DECK)

    @property
    def cards_left(self):
        """The number of cards in the columns."""
        return sum(map(len, self.columns))

    @property
    def is_won(self):
        """Whether only the aces are left."""
        return not self.stock and self.cards_left == COLUMNS

    def deal(self, shown):
        """Take in the cards that the program deals onto the columns; returns what is wrong with them."""
        stock, columns = shown
        for number, (before, now) in enumerate(zip(self.columns, columns, strict=True), start=1):
            if now[:-1] != before or len(now) != len(before) + 1:
                return f"Column {number} was {words(before)} and is now {words(now)}: a deal adds one card to it."
            if now[-1] not in DECK:
                return f"{now[-1]!r} is no card."
            if now[-1] not in self.stock:
                return f"The card {now[-1]} was dealt before."
            self.stock.discard(now[-1])
        self.columns = [list(column) for column in columns]
        return self._fault_of_stock(stock)

    def make(self, move, shown):
        """Make a move that is allowed; returns what is wrong with what the program shows then."""
        stock, columns = shown
        kind, *numbers = move.split()
        card = self.columns[int(numbers[0]) - 1].pop()
        if kind == "m":
            self.columns[int(numbers[1]) - 1].append(card)
        for number, (wanted, now) in enumerate(zip(self.columns, columns, strict=True), start=1):
            if wanted != now:
                return f"After the move `{move}` column {number} must be {words(wanted)}, not {words(now)}."
        return self._fault_of_stock(stock)

    def useful_moves(self):
        """Moves that are allowed, the best first: discards, then what uncovers most in an empty column."""
        yield from (f"x {number}" for number in self._tops() if self._can_be_discarded(number))
        empty = [number for number in range(1, COLUMNS + 1) if not self.columns[number - 1]]
        deep = sorted(self._tops(), key=lambda number: -len(self.columns[number - 1]))
        yield from (f"m {number} {empty[0]}" for number in deep if empty and len(self.columns[number - 1]) > 1)

    def forbidden_moves(self):
        """Moves that are not allowed; there is always one."""
        discards = [f"x {number}" for number in range(1, COLUMNS + 1) if not self._can_be_discarded(number)]
        full = [f"m {one} {other}" for one in self._tops() for other in self._tops() if one != other]
        return [*discards, *full, *([] if self.stock else ["d"]), "x 5", "m 1 0"]

    def _tops(self):
        """The top cards by the number of their column."""
        return {number: column[-1] for number, column in enumerate(self.columns, start=1) if column}

    def _can_be_discarded(self, number):
        """Whether another column ends with a higher card of the same suit."""
        tops = self._tops()
        card = tops.get(number)
        return card is not None and any(
            other[-1] == card[-1] and RANKS.index(other[:-1]) > RANKS.index(card[:-1]) for other in tops.values()
        )

    def _fault_of_stock(self, stock):
        return None if stock == len(self.stock) else f"There are {len(self.stock)} cards in the stock, not {stock}."


def words(cards):
    """Cards as the program shows them."""
    return f"`{' '.join(cards)}`" if cards else "empty"
