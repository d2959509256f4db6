"""Completes the explanation of a crash of curses with the size of the screen."""

import re
from dataclasses import replace

from grader.judge.causes.exceptions import CRASH
from grader.judge.evidence import FailureEvidence
from grader.model.judgement import Diagnosis
from grader.plugins.screens.settings import OnScreen
from grader.text.sentence import say

_DRAWS_OUTSIDE = re.compile(r"(?:mv)?w?(?:add|ins|move|chgat|hline|vline)\w*\(\) returned ERR")


def with_size(diagnosis: Diagnosis, evidence: FailureEvidence) -> Diagnosis:
    """Add that a program draws outside its window, and how large the screen is."""
    interaction, traceback = evidence.test.interaction, evidence.traceback
    if diagnosis.cause is not CRASH or traceback is None or not isinstance(interaction, OnScreen):
        return diagnosis
    if not traceback.error.endswith("curses.error") or not _DRAWS_OUTSIDE.search(traceback.message):
        return diagnosis
    sentence = say(
        "{crash:clause}: this place is outside the window, or the text does not fit; the whole screen has {rows} rows "
        "and {columns} columns here.",
        crash=diagnosis.sentence,
        rows=interaction.screen.rows,
        columns=interaction.screen.columns,
    )
    return replace(diagnosis, sentence=sentence)
