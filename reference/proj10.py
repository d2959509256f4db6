"""CSE 231, project 10: Aces Up (handout of spring 2023), with the functions that the handout names."""

from cards import Card, Deck

RULES = """
Aces High Card Game:
     Tableau columns are numbered 1,2,3,4.
     Only the card at the bottom of a Tableau column can be moved.
     A card can be moved to the Foundation only if a higher ranked card\N{SPACE}
     of the same suit is at the bottom of another Tableau column.
     To win, all cards except aces must be in the Foundation."""
MENU = """\
\N{SPACE}\N{SPACE}\N{SPACE}\N{SPACE}\N{SPACE}
Input options:
    D: Deal to the Tableau (one card on each column).
    F x: Move card from Tableau column x to the Foundation.
    T x y: Move card from Tableau column x to empty Tableau column y.
    R: Restart the game (after shuffling)
    H: Display the menu of choices
    Q: Quit the game       \N{SPACE}
"""
COLUMNS = 4
ARGUMENTS = {"D": 0, "F": 1, "T": 2, "R": 0, "H": 0, "Q": 0}
ACE = 1
ABOVE_KING = 14


def init_game() -> tuple[Deck, list[list[Card]], list[Card]]:
    """Return the stock, the tableau with its first four cards, and an empty foundation."""
    stock = Deck()
    stock.shuffle()
    tableau: list[list[Card]] = [[] for _ in range(COLUMNS)]
    deal_to_tableau(tableau, stock)
    return stock, tableau, []


def deal_to_tableau(tableau: list[list[Card]], stock: Deck) -> None:
    """Deal a card to each column, left to right, until the stock is empty."""
    for column in tableau:
        card = stock.deal()
        if card is not None:
            column.append(card)


def rank_aces_high(card: Card) -> int:
    """Return the rank of a card; an ace is above a king."""
    return ABOVE_KING if card.rank() == ACE else card.rank()


def validate_move_to_foundation(tableau: list[list[Card]], from_col: int) -> bool:
    """Tell whether the bottom card of a column may go to the foundation; if not, print why."""
    if not tableau[from_col]:
        print("\nError, empty column:", from_col + 1)
        return False
    card = tableau[from_col][-1]
    for column in tableau:
        if column and column[-1].suit() == card.suit() and rank_aces_high(column[-1]) > rank_aces_high(card):
            return True
    print(f"\nError, cannot move {card}.")
    return False


def move_to_foundation(tableau: list[list[Card]], foundation: list[Card], from_col: int) -> None:
    """Move the bottom card of a column to the foundation, if that is valid."""
    if validate_move_to_foundation(tableau, from_col):
        foundation.append(tableau[from_col].pop())


def validate_move_within_tableau(tableau: list[list[Card]], from_col: int, to_col: int) -> bool:
    """Tell whether the bottom card of a column may go to another one; if not, print why."""
    if tableau[to_col]:
        print("\nError, target column is not empty:", to_col + 1)
        return False
    if not tableau[from_col]:
        print("\nError, no card in column:", from_col + 1)
        return False
    return True


def move_within_tableau(tableau: list[list[Card]], from_col: int, to_col: int) -> None:
    """Move the bottom card of a column to an empty one, if that is valid."""
    if validate_move_within_tableau(tableau, from_col, to_col):
        tableau[to_col].append(tableau[from_col].pop())


def check_for_win(tableau: list[list[Card]], stock: Deck) -> bool:
    """Tell whether the stock is empty and the tableau holds the four aces alone."""
    cards = [card for column in tableau for card in column]
    return stock.is_empty() and len(cards) == COLUMNS and all(card.rank() == ACE for card in cards)


def display(stock: Deck, tableau: list[list[Card]], foundation: list[Card]) -> None:
    """Show the stock, the tableau and the last card of the foundation."""
    print("\nstock      tableau     foundation")
    for row in range(max(len(column) for column in tableau)):
        shown_stock = " XX" if row == 0 and not stock.is_empty() else ""
        cells = "".join(f"{column[row] if row < len(column) else ''!s:4}" for column in tableau)
        shown_foundation = f"    {foundation[-1]}" if row == 0 and foundation else ""
        print(f"{shown_stock:8}{cells}{shown_foundation}")


def get_option() -> list[str | int]:
    """Ask for an option; return its letter and 0-based columns, or print an error and return an empty list."""
    line = input("\nInput an option (DFTRHQ): ")
    letter, *columns = line.upper().split() or [""]
    well_formed = ARGUMENTS.get(letter) == len(columns)
    if well_formed and all(column in ("1", "2", "3", "4") for column in columns):
        return [letter, *(int(column) - 1 for column in columns)]
    print("\nError in option:", line)
    return []


def main() -> None:
    """Play until the player wins or quits."""
    stock, tableau, foundation = init_game()
    print(RULES)
    print(MENU)
    display(stock, tableau, foundation)
    while True:
        match get_option():
            case []:
                continue
            case ["D"]:
                deal_to_tableau(tableau, stock)
            case ["F", int(from_col)]:
                move_to_foundation(tableau, foundation, from_col)
            case ["T", int(from_col), int(to_col)]:
                move_within_tableau(tableau, from_col, to_col)
            case ["R"]:
                print("\n=========== Restarting: new game ============")
                stock, tableau, foundation = init_game()
                print(RULES)
                print(MENU)
            case ["H"]:
                print(MENU)
            case ["Q"]:
                print("\nYou have chosen to quit.")
                return
        if check_for_win(tableau, stock):
            print("\nYou won!")
            return
        display(stock, tableau, foundation)


if __name__ == "__main__":
    main()
