import random


def makeDeck(seedNumber):
    theDeck = [i for i in range(32)]
    random.seed(seedNumber)
    random.shuffle(theDeck)
    return theDeck


def cardToUnicode(card):
    if card < 8:
        start = 0x1F0B1
    elif card < 16:
        start = 0x1F0C1
    elif card < 24:
        start = 0x1F0D1
    else:
        start = 0x1F0A1
    position = card % 8
    if position == 7:          # Ace
        return chr(start)
    if position == 5:          # Queen
        return chr(start + 12)
    if position == 6:          # King
        return chr(start + 13)
    return chr(start + 6 + position)


def sameSuit(cardA, cardB):
    return cardA // 8 == cardB // 8


def playGame(seedNumber):
    theDeck = makeDeck(seedNumber)
    loc1 = theDeck.pop()
    loc2 = theDeck.pop()
    loc3 = theDeck.pop()
    loc4 = theDeck.pop()
    squares = [[loc1, loc2, loc3, loc4]]
    while len(theDeck) > 0:
        current = squares[-1]
        used = []
        for a in range(4):
            for b in range(a + 1, 4):
                if a not in used and b not in used and sameSuit(current[a], current[b]):
                    used.append(a)
                    used.append(b)
        if used == []:
            break
        following = []
        for a in range(4):
            if a not in used:
                following.append(current[a])
            elif len(theDeck) > 0:
                following.append(theDeck.pop())
        squares.append(following)
    return squares, len(theDeck)


def printGame(seedNumber):
    squares, cardsLeft = playGame(seedNumber)
    if cardsLeft == 0:
        print("So glad that you won! \U0001F60A")
    else:
        print("So sorry that you lost! \u2639\uFE0F")
    index = 0
    while index < len(squares):
        line1, line2 = "", ""
        for square in squares[index:index + 6]:
            pictures = [cardToUnicode(card) for card in square]
            line1 = line1 + "    " + " ".join(pictures[:2])
            if len(pictures) > 2:
                line2 = line2 + "    " + " ".join(pictures[2:])
        print()
        print(line1)
        print(line2)
        index = index + 6


def simulate(n, i):
    counter = {}
    for seedNumber in range(i, i + n):
        squares, cardsLeft = playGame(seedNumber)
        nbRounds = len(squares)
        if cardsLeft not in counter:
            counter[cardsLeft] = {}
        if nbRounds not in counter[cardsLeft]:
            counter[cardsLeft][nbRounds] = 0
        counter[cardsLeft][nbRounds] += 1
    print("Number of cards left | Number of rounds | Frequency")
    print("-" * 51)
    for cardsLeft in sorted(counter):
        frequency = sum(counter[cardsLeft].values()) / n * 100
        firstRow = True
        for nbRounds in sorted(counter[cardsLeft]):
            if firstRow:
                print(f"{cardsLeft:20} | {nbRounds:2}               | {frequency:8.2f}%")
                firstRow = False
            else:
                print(f"                     | {nbRounds:2}               |")


if __name__ == "__main__":
    printGame(int(input("Enter an integer to pass to the seed() function: ")))
