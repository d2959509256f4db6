"""The finders of this plugin, in the order in which they are tried."""

from grader.judge.causes import ending, reading, text
from grader.judge.evidence import CauseFamily
from grader.plugins.content_causes import (
    blocks,
    board,
    cards,
    characters,
    exchanged,
    groups,
    line,
    order,
    prompts,
    runs,
    unread,
)
from grader.plugins.content_causes.context import in_context

CONTENT = CauseFamily(
    finders=(
        cards.other_column,
        cards.card_notation,
        cards.mixed_up,
        board.board_shape,
        exchanged.exchanged_hands,
        cards.wrong_deal,
        groups.group,
        exchanged.word_order,
        exchanged.exchanged_between_lines,
        cards.other_line,
        cards.card,
        board.staying_cards,
    ),
    before={
        reading.keeps_asking: (
            runs.run_before_right_lines,
            order.misplaced_newline,
            characters.encoding,
            prompts.hidden_input,
            prompts.shown_input,
            prompts.wrong_prompt,
            characters.only_one_kind_of_difference,
            characters.only_blank_lines,
            characters.only_final_newline,
        ),
        ending.truncated_output: (
            order.repeated_lines,
            prompts.echoed_input,
            blocks.exchanged_blocks,
            order.swapped_lines,
            unread.ends_too_early,
            order.shifted_lines,
            prompts.asks_at_another_time,
            unread.ends_before_asking,
        ),
        text.text: (
            line.only_one_kind_of_difference,
            line.number,
            line.symbol,
            order.wrapped_line,
            runs.run,
            line.prefix,
            unread.unread_input,
            line.text,
        ),
    },
    complete=in_context,
    difference=characters.difference_in_words,
)
