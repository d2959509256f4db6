# CSE 231 project 9: Spider, for Python 2.6
import cards


def print_tableau(tableau, stock, score, moves):
    """Print the board."""
    print '\nTableau:'
    print '\t' + '\t'.join('%3d' % number for number in range(1, 11))
    for row in range(max(len(stack) for stack in tableau)):
        cells = [str(stack[row]) if row < len(stack) else '   ' for stack in tableau]
        print '\t' + '\t'.join(cells)
    print '----------'
    print 'Stock: %d cards left\n' % stock.cards_left()
    print 'Score: %d' % score
    print 'Moves: %d' % moves


def play():
    """Play the game."""
    stock = cards.Deck()
    stock.add_deck()
    stock.shuffle()
    tableau = [[stock.deal() for i in range(6 if number < 4 else 5)] for number in range(10)]
    print_tableau(tableau, stock, 500, 0)
    suits = raw_input("Command: (type '1' for one suit, type '4' for four suits) ")
    while suits != '1' and suits != '4':
        print 'Invalid input.'
        suits = raw_input("Command: (type '1' for one suit, type '4' for four suits) ")
    print 'Thanks for playing!'


play()
