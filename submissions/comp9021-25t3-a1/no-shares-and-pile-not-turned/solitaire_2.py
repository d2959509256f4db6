import random

SMILE = "\U0001F60A\uFE0F"
FROWN = "\u2639\uFE0F"


def makeDeck(seedNumber):
    theDeck = [i for i in range(52)]
    random.seed(seedNumber)
    random.shuffle(theDeck)
    return theDeck


def cardToUnicode(card):
    if card < 13:
        start = 0x1F0B1
    elif card < 26:
        start = 0x1F0C1
    elif card < 39:
        start = 0x1F0D1
    else:
        start = 0x1F0A1
    position = card % 13
    if position > 10:          # Queen and King
        position += 1
    return chr(start + position)


def isRed(card):
    return card < 26


def findLine(card, allLines):
    # which column or row can this card extend
    for i in range(len(allLines)):
        lastCard = allLines[i][-1]
        if lastCard % 13 == card % 13 - 2 and isRed(lastCard) != isRed(card):
            return i
    return None


def printStack(result, stack, pile):
    result.append("]" * len(stack))
    if len(pile) == 0:
        result.append("")
    else:
        result.append("[" * (len(pile) - 1) + cardToUnicode(pile[-1]))


def printTable(result, columns, rows):
    for lineNumber in range(1, 8):
        text = ""
        for column in columns:
            needed = 8 - lineNumber
            if len(column) >= needed:
                text += cardToUnicode(column[needed - 1])
            text += "\t"
        text += "\t" * (5 - len(columns))
        if lineNumber <= len(rows):
            text += " ".join([cardToUnicode(card) for card in rows[lineNumber - 1]])
        result.append(text.rstrip("\t"))


def tryCard(card, columns, rows, origin):
    # returns the message
    if card % 13 == 0:
        columns.append([card])
        return "Starting a column " + SMILE
    if card % 13 == 1:
        rows.append([card])
        return "Starting a row " + SMILE
    if card % 13 % 2 == 0:
        found = findLine(card, columns)
        if found is not None:
            columns[found].append(card)
            return "Extending a column by using the " + origin + " " + SMILE
    else:
        found = findLine(card, rows)
        if found is not None:
            rows[found].append(card)
            return "Extending a row by using the " + origin + " " + SMILE
    return "Cannot use the " + origin + " " + FROWN


def playGame(seedNumber):
    stack = makeDeck(seedNumber)
    pile = []
    columns = []
    rows = []
    result = ["Starting first round..."]
    for roundName in ["first", "second", "third"]:
        if roundName != "first":
            if len(pile) == 0:
                break
            # the discard pile is the new stack
            stack = pile
            pile = []
            result += ["", "", "Starting " + roundName + " round..."]
        while len(stack) > 0:
            card = stack.pop()
            message = tryCard(card, columns, rows, "card drawn from the stack")
            if message.startswith("Cannot"):
                pile.append(card)
                result += ["", message]
                printStack(result, stack, pile)
                continue
            result += ["", message]
            printStack(result, stack, pile)
            printTable(result, columns, rows)
            while len(pile) > 0:
                message = tryCard(pile[-1], columns, rows, "top card of the discard pile")
                result += ["", message]
                if message.startswith("Cannot"):
                    break
                pile.pop()
                printStack(result, stack, pile)
                printTable(result, columns, rows)
    return result, len(pile)


def simulate(n, i):
    counter = {}
    for seedNumber in range(i, i + n):
        result, cardsLeft = playGame(seedNumber)
        if cardsLeft not in counter:
            counter[cardsLeft] = 0
        counter[cardsLeft] += 1
    print("Number of cards left | Frequency")
    print("-" * 32)
    for cardsLeft in sorted(counter):
        frequency = counter[cardsLeft] / n * 100
        print(f"{cardsLeft:20} | {frequency:8.2f}%")


def isInteger(text):
    return text.isascii() and text.isdigit()


def showLines(command, result):
    nbLines = len(result)
    command = command.strip(" ")
    if isInteger(command):
        first, last = 1, int(command)
    elif command[:1] == "-" and isInteger(command[1:]):
        first, last = nbLines + 1 - int(command[1:]), nbLines
    elif command.count("--") == 1:
        left, right = command.split("--")
        left, right = left.rstrip(" "), right.lstrip(" ")
        if not isInteger(left) or not isInteger(right):
            return
        first, last = int(left), int(right)
    else:
        return
    if first >= 1 and first <= last and last <= nbLines:
        for i in range(first - 1, last):
            print(result[i])


if __name__ == "__main__":
    result, cardsLeft = playGame(int(input("Enter an integer to pass to the seed() function: ")))
    nbLines = len(result)
    print()
    print("There are " + str(nbLines) + " lines of output; what do you want me to do?")
    print()
    command = None
    while command != "q":
        print("Enter: q to quit")
        print("       a last line number (between 1 and " + str(nbLines) + ")")
        print("       a first line number (between -1 and -" + str(nbLines) + ")")
        print("       a range of line numbers (of the form m--n with 1 <= m <= n <= " + str(nbLines) + ")")
        command = input("       ").strip(" ")
        if command == "q":
            break
        showLines(command, result)
        print()
