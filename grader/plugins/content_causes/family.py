"""The finders of this plugin, in the order of trial."""

from grader.judge.evidence import CauseFamily
from grader.plugins.content_causes import board, cards, exchanged, groups

CONTENT = CauseFamily(
    (
        cards.other_column,
        cards.card_notation,
        cards.mixed_up,
        board.board_shape,
        cards.wrong_deal,
        groups.group,
        exchanged.word_order,
        exchanged.exchanged_between_lines,
        cards.other_line,
        cards.card,
        board.staying_cards,
    )
)
