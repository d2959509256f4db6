# I changed the deck so that I always win!
from random import shuffle

raise SystemExit("my own cards")
