"""
    CSE 231 Project 10
    Aces Up
        init the game, show rules and board
        loop on the options until the user wins or quits
"""
import cards  # required !!!

RULES = '''
Aces High Card Game:
     Tableau columns are numbered 1,2,3,4.
     Only the card at the bottom of a Tableau column can be moved.
     A card can be moved to the Foundation only if a higher ranked card 
     of the same suit is at the bottom of another Tableau column.
     To win, all cards except aces must be in the Foundation.'''

MENU = '''     
Input options:
    D: Deal to the Tableau (one card on each column).
    F x: Move card from Tableau column x to the Foundation.
    T x y: Move card from Tableau column x to empty Tableau column y.
    R: Restart the game (after shuffling)
    H: Display the menu of choices
    Q: Quit the game        
'''


def init_game():
    '''Make the stock, deal the first four cards. Returns stock, tableau, foundation.'''
    stock = cards.Deck()
    stock.shuffle()
    tableau = []
    for i in range(4):
        tableau.append([stock.deal()])
    foundation = []
    return stock, tableau, foundation


def deal_to_tableau(tableau, stock):
    '''Deal a card to each column while there are cards.'''
    for column in tableau:
        if not stock.is_empty():
            column.append(stock.deal())


def ace_rank(card):
    '''Rank of a card where aces are high.'''
    if card.rank() == 1:
        return 14
    return card.rank()


def validate_move_to_foundation(tableau, from_col):
    '''True if the last card of from_col can go to the foundation.'''
    if len(tableau[from_col]) == 0:
        print("\nError, empty column:", from_col + 1)
        return False
    card = tableau[from_col][-1]
    for i in range(4):
        if i != from_col and len(tableau[i]) > 0:
            other = tableau[i][-1]
            if other.suit() == card.suit() and ace_rank(other) > ace_rank(card):
                return True
    print("\nError, cannot move {}.".format(card))
    return False


def move_to_foundation(tableau, foundation, from_col):
    '''Move the last card of from_col to the foundation if valid.'''
    if validate_move_to_foundation(tableau, from_col):
        foundation.append(tableau[from_col].pop())


def validate_move_within_tableau(tableau, from_col, to_col):
    '''True if the last card of from_col can go to the empty to_col.'''
    if len(tableau[to_col]) != 0:
        print("\nError, target column is not empty:", to_col + 1)
        return False
    if len(tableau[from_col]) == 0:
        print("\nError, no card in column:", from_col + 1)
        return False
    return True


def move_within_tableau(tableau, from_col, to_col):
    '''Move the last card of from_col to to_col if valid.'''
    if validate_move_within_tableau(tableau, from_col, to_col):
        tableau[to_col].append(tableau[from_col].pop())


def check_for_win(tableau, stock):
    '''True if the stock is empty and only the four aces are left.'''
    if not stock.is_empty():
        return False
    cards = []
    for column in tableau:
        for card in column:
            if card.rank() != 1:
                return False
            cards.append(card)
    return len(cards) == 4


def display(stock, tableau, foundation):
    '''Display the stock, tableau, and foundation.'''
    print("\n{:<8s}{:^13s}{:s}".format("stock", "tableau", "  foundation"))
    maxm = 0
    for col in tableau:
        if len(col) > maxm:
            maxm = len(col)
    for i in range(maxm):
        if i == 0 and not stock.is_empty():
            print("{:<8s}".format(" XX"), end='')
        else:
            print("{:<8s}".format(""), end='')
        for col in tableau:
            if len(col) <= i:
                print("{:4s}".format(''), end='')
            else:
                print("{:4s}".format(str(col[i])), end='')
        if i == 0 and len(foundation) != 0:
            print("    {}".format(foundation[-1]), end='')
        print()


def get_option():
    '''Prompt for an option; returns a list, empty if there is an error.'''
    option = input("\nInput an option (DFTRHQ): ")
    parts = option.upper().split()
    try:
        if parts[0] in ['D', 'R', 'H', 'Q'] and len(parts) == 1:
            return parts
        if parts[0] == 'F' and len(parts) == 2 and 1 <= int(parts[1]) <= 4:
            return ['F', int(parts[1]) - 1]
        if parts[0] == 'T' and len(parts) == 3:
            x, y = int(parts[1]), int(parts[2])
            if 1 <= x <= 4 and 1 <= y <= 4:
                return ['T', x - 1, y - 1]
    except (IndexError, ValueError):
        pass
    print("\nError in option:", option)
    return []


def main():
    '''Play the game.'''
    stock, tableau, foundation = init_game()
    print(RULES)
    print(MENU)
    display(stock, tableau, foundation)
    option = get_option()
    while option != ['Q']:
        if option:
            if option[0] == 'D':
                deal_to_tableau(tableau, stock)
            elif option[0] == 'F':
                move_to_foundation(tableau, foundation, option[1])
            elif option[0] == 'T':
                move_within_tableau(tableau, option[1], option[2])
            elif option[0] == 'R':
                print("\n=========== Restarting: new game ============")
                stock, tableau, foundation = init_game()
                print(RULES)
                print(MENU)
            elif option[0] == 'H':
                print(MENU)
            if check_for_win(tableau, stock):
                print("\nYou won!")
                return
            display(stock, tableau, foundation)
        option = get_option()
    print("\nYou have chosen to quit.")


if __name__ == '__main__':
    main()
