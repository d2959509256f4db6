###########################################################
#  Computer Project #10: Aces Up
#  the board is a list of four lists, commands are looked up in a dictionary
###########################################################
from cards import Card, Deck

RULES = '\nAces High Card Game:\n' \
    '     Tableau columns are numbered 1,2,3,4.\n' \
    '     Only the card at the bottom of a Tableau column can be moved.\n' \
    '     A card can be moved to the Foundation only if a higher ranked card \n' \
    '     of the same suit is at the bottom of another Tableau column.\n' \
    '     To win, all cards except aces must be in the Foundation.'
MENU = '     \nInput options:\n' \
    '    D: Deal to the Tableau (one card on each column).\n' \
    '    F x: Move card from Tableau column x to the Foundation.\n' \
    '    T x y: Move card from Tableau column x to empty Tableau column y.\n' \
    '    R: Restart the game (after shuffling)\n' \
    '    H: Display the menu of choices\n' \
    '    Q: Quit the game        \n'
FORMS = {'D': 1, 'F': 2, 'T': 3, 'R': 1, 'H': 1, 'Q': 1}


def init_game():
    """Return the stock, the tableau and the foundation at the start of a game."""
    deck = Deck()
    deck.shuffle()
    tableau = [[], [], [], []]
    deal_to_tableau(tableau, deck)
    return deck, tableau, []


def deal_to_tableau(tableau, stock):
    """Deal a card from the stock to each column of the tableau."""
    i = 0
    while i < 4 and len(stock) > 0:
        tableau[i] += [stock.deal()]
        i += 1


def strength(card):
    """Return the rank of a card, aces highest."""
    return (card.rank() + 11) % 13


def bottoms(tableau):
    """Return the bottom card of each column, None for an empty one."""
    return [column[-1] if column else None for column in tableau]


def validate_move_to_foundation(tableau, from_col):
    """Return whether a card may go to the foundation; print why not."""
    card = bottoms(tableau)[from_col]
    if card is None:
        print(f'\nError, empty column: {from_col + 1}')
        return False
    better = [c for c in bottoms(tableau) if c and c.suit() == card.suit() and strength(c) > strength(card)]
    if not better:
        print(f'\nError, cannot move {card}.')
    return bool(better)


def move_to_foundation(tableau, foundation, from_col):
    """Move a card to the foundation if it may go there."""
    if validate_move_to_foundation(tableau, from_col):
        foundation += [tableau[from_col].pop()]


def validate_move_within_tableau(tableau, from_col, to_col):
    """Return whether a card may go to another column; print why not."""
    if tableau[to_col]:
        print(f'\nError, target column is not empty: {to_col + 1}')
    elif not tableau[from_col]:
        print(f'\nError, no card in column: {from_col + 1}')
    else:
        return True
    return False


def move_within_tableau(tableau, from_col, to_col):
    """Move a card to an empty column if that is allowed."""
    if validate_move_within_tableau(tableau, from_col, to_col):
        tableau[to_col] += [tableau[from_col].pop()]


def check_for_win(tableau, stock):
    """Return whether the game is won."""
    left = sum(tableau, [])
    return stock.is_empty() and [card.rank() for card in left] == [1, 1, 1, 1]


def display(stock, tableau, foundation):
    """Show the stock, the tableau and the foundation."""
    print('\nstock      tableau     foundation')
    depth = max(map(len, tableau))
    for row in range(depth):
        line = ' XX     ' if row == 0 and len(stock) else ' ' * 8
        for column in tableau:
            line += f'{str(column[row])} ' if row < len(column) else '    '
        if row == 0 and foundation:
            line += f'    {foundation[-1]}'
        print(line)


def get_option():
    """Ask for an option and return it as a list, empty if it is wrong."""
    line = input('\nInput an option (DFTRHQ): ')
    words = line.split()
    if words and FORMS.get(words[0].upper()) == len(words):
        numbers = [int(word) for word in words[1:] if word.isdecimal() and 0 < int(word) < 5]
        if len(numbers) == len(words) - 1:
            return [words[0].upper()] + [n - 1 for n in numbers]
    print(f'\nError in option: {line}')
    return []


def start():
    """Begin a game, and show the rules and the menu."""
    game = init_game()
    print(RULES)
    print(MENU)
    return game


def main():
    """Play the game until it is won or left."""
    stock, tableau, foundation = start()
    display(stock, tableau, foundation)
    playing = True
    while playing:
        option = get_option()
        if not option:
            continue
        letter, columns = option[0], option[1:]
        if letter == 'Q':
            print('\nYou have chosen to quit.')
            break
        if letter == 'R':
            print('\n=========== Restarting: new game ============')
            stock, tableau, foundation = start()
        elif letter == 'H':
            print(MENU)
        elif letter == 'D':
            deal_to_tableau(tableau, stock)
        elif letter == 'F':
            move_to_foundation(tableau, foundation, *columns)
        else:
            move_within_tableau(tableau, *columns)
        playing = not check_for_win(tableau, stock)
        if playing:
            display(stock, tableau, foundation)
        else:
            print('\nYou won!')


if __name__ == '__main__':
    main()
