class Deck:
    pass
