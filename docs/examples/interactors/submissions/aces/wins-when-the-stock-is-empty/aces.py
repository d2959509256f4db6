import random

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
SUITS = "♣♦♥♠"


def show(stock, columns):
    print("Stock:", len(stock))
    for number, column in enumerate(columns, start=1):
        print(f"{number}:", *(RANKS[rank] + suit for rank, suit in column))


def deal(stock, columns):
    for column in columns:
        column.append(stock.pop())


def can_discard(columns, number):
    tops = [column[-1] for column in columns if column]
    if not columns[number]:
        return False
    rank, suit = columns[number][-1]
    return any(other == suit and higher > rank for higher, other in tops)


def make(move, stock, columns):
    """Returns whether the move was allowed."""
    try:
        match move.split():
            case ["d"] if stock:
                deal(stock, columns)
                return True
            case ["x", number] if can_discard(columns, "1234".index(number)):
                columns["1234".index(number)].pop()
                return True
            case ["m", number, other]:
                source, target = columns["1234".index(number)], columns["1234".index(other)]
                if source and not target:
                    target.append(source.pop())
                    return True
    except ValueError:
        pass
    return False


def main():
    stock = [(rank, suit) for suit in SUITS for rank in range(13)]
    random.seed(4)
    random.shuffle(stock)
    columns = [[], [], [], []]
    deal(stock, columns)
    show(stock, columns)
    while stock:
        move = input("Move: ").strip()
        if move == "q":
            print("Cards left:", sum(map(len, columns)))
            return
        if make(move, stock, columns):
            show(stock, columns)
        else:
            print("Not allowed.")
    print("You won!")


if __name__ == "__main__":
    main()
