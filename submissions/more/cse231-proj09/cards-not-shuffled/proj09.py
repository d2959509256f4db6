# CSE 231 Section 003, Project 9
# Spider solitaire for one suit or four suits.
# The tableau is a list of ten lists of cards.
from cards import Card, Deck

RULES = """Spider: remove all cards by building runs from king to ace.
Move a card, or a run of cards of one suit, to an empty stack or onto a card with the next-highest value.
A run from king to ace in one suit is removed. Deal when you cannot move: one card goes to every stack."""


def show_help():
    print()
    print("Responses are:")
    print()
    print("\t'm [number of cards] [stack A] [stack B]' to move a certain number of cards from stack A to stack B")
    print("\t'd' to deal cards")
    print("\t'h' for help")
    print("\t'q' to quit")


def setup():
    """Two decks; six cards to stacks 1-4, five to stacks 5-10."""
    stock = Deck()
    stock.add_deck()
    tableau = []
    for i in range(10):
        stack = []
        number = 5
        if i < 4:
            number = 6
        for j in range(number):
            card = stock.deal()
            if j < number - 1:
                card.set_hidden()
            stack.append(card)
        tableau.append(stack)
    return stock, tableau


def display(stock, tableau, score, moves):
    print()
    print("Tableau:")
    for i in range(1, 11):
        print("\t%3d" % i, end="")
    print()
    longest = max([len(stack) for stack in tableau])
    for row in range(longest):
        for stack in tableau:
            if row < len(stack):
                print("\t" + str(stack[row]), end="")
            else:
                print("\t   ", end="")
        print()
    print("----------")
    print("Stock: %d cards left" % stock.cards_left())
    print()
    print("Score: %d" % score)
    print("Moves: %d" % moves)


def is_run(cards, suits):
    """True if the cards go down by one, in one suit when suits is 4."""
    for i in range(1, len(cards)):
        if cards[i].get_rank() != cards[i - 1].get_rank() - 1:
            return False
        if suits == 4 and cards[i].get_suit() != cards[i - 1].get_suit():
            return False
    return True


def remove_run(stack, suits):
    """Remove a run from king to ace. Returns True if there was one."""
    if len(stack) < 13 or stack[-13].is_hidden():
        return False
    if stack[-13].get_rank() == 13 and is_run(stack[-13:], suits):
        del stack[-13:]
        turn_last(stack)
        return True
    return False


def turn_last(stack):
    if len(stack) > 0:
        stack[-1].show_card()


def check_move(tableau, number, a, b, suits):
    """Returns an error message, or an empty string if the move is legal."""
    if a < 1 or a > 10 or b < 1 or b > 10:
        return "Invalid stack number(s)."
    source = tableau[a - 1]
    target = tableau[b - 1]
    if number < 1 or number > len(source):
        return "Not enough cards in stack."
    cards = source[len(source) - number:]
    if cards[0].is_hidden():
        return "Can't move facedown cards."
    if len(target) > 0 and target[-1].get_rank() != cards[0].get_rank() + 1:
        return "Cards can only be moved to a card with the next-highest value."
    if not is_run(cards, suits):
        return "Cards can only be moved together in a run of the same suit."
    return ""


def check_deal(stock, tableau):
    if stock.cards_left() == 0:
        return "No cards remaining in stock."
    for stack in tableau:
        if len(stack) == 0:
            return "Every stack needs a card before dealing."
    return ""


def won(stock, tableau):
    return stock.cards_left() == 0 and sum([len(stack) for stack in tableau]) == 0


def read_move(words):
    """Returns the three numbers of a move command, or an empty list."""
    if len(words) != 4:
        return []
    for word in words[1:]:
        if not word.isdecimal():
            return []
    return [int(word) for word in words[1:]]


def play():
    stock, tableau = setup()
    score = 500
    moves = 0
    print(RULES)
    show_help()
    display(stock, tableau, score, moves)
    answer = input("Command: (type '1' for one suit, type '4' for four suits) ")
    while answer != "1" and answer != "4":
        print("Invalid input.")
        answer = input("Command: (type '1' for one suit, type '4' for four suits) ")
    suits = int(answer)
    while not won(stock, tableau):
        words = input("Command:(type 'h' for help) ").split()
        if words == ["q"]:
            break
        elif words == ["h"]:
            show_help()
        elif words == ["d"]:
            error = check_deal(stock, tableau)
            if error:
                print(error)
            else:
                for stack in tableau:
                    stack.append(stock.deal())
                    if remove_run(stack, suits):
                        score += 100
        elif words and words[0] == "m" and read_move(words):
            number, a, b = read_move(words)
            error = check_move(tableau, number, a, b, suits)
            if error:
                print(error)
            else:
                cards = tableau[a - 1][-number:]
                del tableau[a - 1][-number:]
                tableau[b - 1].extend(cards)
                turn_last(tableau[a - 1])
                moves += 1
                score -= 1
                if remove_run(tableau[b - 1], suits):
                    score += 100
        elif not words or words[0] in "mdhq":
            print("Invalid syntax.")
            show_help()
        else:
            print("Unknown command: " + words[0])
        display(stock, tableau, score, moves)
    if won(stock, tableau):
        print("YOU WIN!!!")
    print("Turns taken: %d" % moves)
    print("Final score: %d" % score)
    print("Thanks for playing!")


play()
