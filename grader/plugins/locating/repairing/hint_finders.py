"""The searches for `hints: {repair: WORD}`."""

from functools import partial

from grader.plugins.locating.repairing.hint_words import change_words, kind_words, place_words
from grader.plugins.locating.repairing.hints import find_hints
from grader.selfcheck.hints import HintFinder

PLACE = HintFinder(find=partial(find_hints, place_words))
KIND = HintFinder(find=partial(find_hints, kind_words))
CHANGE = HintFinder(find=partial(find_hints, change_words))
