"""Stage `run`: start a program in a terminal, hold a dialogue with it, and say how it went."""
