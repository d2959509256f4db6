"""Programs that have much in common, one of them by a student who means harm."""

from functools import cache

from grader.plugins.similarity.fingerprints import ProgramSource, SimilarPair, similar_pairs
from grader.plugins.similarity.pages import SimilaritySearch
from tests.reports.site_example import ATTACK, ATTACKER

_FUNCTIONS = [
    f"def step_{number}(cards):\n"
    f"    total = {number}\n"
    "    for card in cards:\n"
    f"        if card.rank > {number} and card.is_hidden():\n"
    f"            total += card.rank * {number} - len(cards)\n"
    + "".join(f"        cards[{index}].turn({'card, ' * index}total)\n" for index in range(number + 1))
    + "    return total\n"
    for number in range(8)
]
_OWN = f"# {ATTACK}\nimport this\nprint([one ** 2 for one in range(9) if one % 2 or not one], end='سلام')\n"

PROGRAM = "\n\n".join(_FUNCTIONS)
REORDERED = _OWN + "\n\n".join(reversed(_FUNCTIONS)).replace("total", "all_of_them") + "x = '" + "long" * 2500 + "'\n"

SOURCES = (
    ProgramSource("ann", "game.py", PROGRAM),
    ProgramSource(ATTACKER, "<b>.py", REORDERED),
    ProgramSource("Ann " * 30, "game.py", PROGRAM, earlier=True),
)
SEARCH = SimilaritySearch(least=60, common=10, given=["<cards>.py"])


@cache
def find_pairs() -> list[SimilarPair]:
    """The pairs that a search finds among them."""
    return similar_pairs(SOURCES, [], least=0.6, common=10)
