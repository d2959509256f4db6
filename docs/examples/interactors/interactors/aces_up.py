"""Plays Aces Up with the cards that the program deals, and watches that all it shows is according to the rules.

The rules themselves are in `aces_up_rules/`, beside this file.
"""

from aces_up_rules.table import COLUMNS, Table


def play(program):
    """Play until nothing can be done, and try moves that are not allowed in between."""
    table = Table()
    check(program, table.deal(shown_table(program)))
    while not table.is_won:
        if program.random.random() < 0.3:
            try_what_is_not_allowed(program, table)
        move = next(table.useful_moves(), None)
        if move is None and not table.stock:
            program.send("q")
            program.expect(rf"^Cards left: {table.cards_left}$", f"`Cards left: {table.cards_left}`")
            break
        program.send(move or "d")
        shown = shown_table(program)
        check(program, table.make(move, shown) if move else table.deal(shown))
    else:
        program.expect("^You won!$", "`You won!`")
    program.expect_end()


def shown_table(program):
    """The cards in the stock and in the columns, as the program shows them."""
    stock = int(program.expect(r"^Stock: (\d+)$", "`Stock: ` and the number of cards in it")[1])
    columns = [
        program.expect(rf"^{number}:((?: \S+)*) *$", f"`{number}:` and the cards of this column")[1].split()
        for number in range(1, COLUMNS + 1)
    ]
    return stock, columns


def check(program, fault):
    """End the play if there is a fault."""
    if fault:
        program.wrong(fault)


def try_what_is_not_allowed(program, table):
    """Try a move that the rules forbid; it must change nothing."""
    move = program.random.choice(table.forbidden_moves())
    program.send(move)
    program.expect("^Not allowed.$", f"`Not allowed.`, because the move `{move}` is against the rules")
