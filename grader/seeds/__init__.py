"""Stage `seeds`: finds the seeds or decks with which a few tests reach what the game can do."""
