"""CSE 231, project 10: Aces Up (handout of spring 2023), with the functions that the handout names."""

from cards import Card, Deck

try:
    from because import because  # there only when expected transcripts are generated
except ImportError:

    def because(rule: str, text: str) -> str:  # noqa: ARG001
        """Return a text to print; a rule of the handout is the reason for it."""
        return text


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
CANNOT_MOVE = "no other column has a higher card of the same suit at its bottom; an ace is the highest"
EMPTY = "there is no card in this column, so none can be moved"
MAY_GO = "a higher card of the same suit is at the bottom of another column, so the card may go; an ace is the highest"
ONLY_TO_EMPTY = "a card can only be moved to an empty column"
INTO_EMPTY = "the column is empty, so a card may be moved there"
DEALT = "D deals one card to each column, and capitals and small letters mean the same"
WON = "the game is won when the stock is empty and the four aces alone are in the tableau"
NOT_WON = "the game is won only when the stock is empty and the four aces alone are in the tableau"
ARGUMENTS_NEEDED = "D, R, H and Q stand alone, F has one column and T has two, each from 1 to 4"


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
        print(f"\n{because(EMPTY, f'Error, empty column: {from_col + 1}')}")
        return False
    card = tableau[from_col][-1]
    for column in tableau:
        if column and column[-1].suit() == card.suit() and rank_aces_high(column[-1]) > rank_aces_high(card):
            return True
    print(f"\n{because(CANNOT_MOVE, f'Error, cannot move {card}.')}")
    return False


def move_to_foundation(tableau: list[list[Card]], foundation: list[Card], from_col: int) -> None:
    """Move the bottom card of a column to the foundation, if that is valid."""
    if validate_move_to_foundation(tableau, from_col):
        foundation.append(tableau[from_col].pop())


def validate_move_within_tableau(tableau: list[list[Card]], from_col: int, to_col: int) -> bool:
    """Tell whether the bottom card of a column may go to another one; if not, print why."""
    if tableau[to_col]:
        print(f"\n{because(ONLY_TO_EMPTY, f'Error, target column is not empty: {to_col + 1}')}")
        return False
    if not tableau[from_col]:
        print(f"\n{because(EMPTY, f'Error, no card in column: {from_col + 1}')}")
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


def looks_won(tableau: list[list[Card]], stock: Deck) -> bool:
    """Tell whether the game might be taken for a won one."""
    cards = [card for column in tableau for card in column]
    has_only_aces = all(card.rank() == ACE for card in cards)
    ends_with_aces = all(column[-1].rank() == ACE for column in tableau if column)
    return has_only_aces or (stock.is_empty() and (ends_with_aces or len(cards) == COLUMNS))


def display(stock: Deck, tableau: list[list[Card]], foundation: list[Card], why: str = "") -> None:
    """Show the stock, the tableau and the last card of the foundation; `why` is the rule for showing them."""
    head = "stock      tableau     foundation"
    print(f"\n{because(why, head) if why else head}")
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
    print(f"\n{because(ARGUMENTS_NEEDED, f'Error in option: {line}')}")
    return []


def main() -> None:
    """Play until the player wins or quits."""
    stock, tableau, foundation = init_game()
    print(RULES)
    print(MENU)
    display(stock, tableau, foundation)
    while True:
        moved, why = len(foundation), ""
        match get_option():
            case []:
                continue
            case ["D"]:
                deal_to_tableau(tableau, stock)
                why = DEALT
            case ["F", int(from_col)]:
                move_to_foundation(tableau, foundation, from_col)
                why = MAY_GO if len(foundation) > moved else ""
            case ["T", int(from_col), int(to_col)]:
                why = "" if tableau[to_col] else INTO_EMPTY
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
            print(f"\n{because(WON, 'You won!')}")
            return
        display(stock, tableau, foundation, NOT_WON if looks_won(tableau, stock) else why)


if __name__ == "__main__":
    main()
