"""The cause is named where it should be, and only there, in words that a student understands."""

from dataclasses import replace

from grader.model.judgement import Judgement
from grader.plugins.command_tests.causes import COMMAND_FAILED
from grader.plugins.command_tests.entry import TestOfCommand
from grader.plugins.command_tests.interaction import CommandRun
from grader.plugins.command_tests.judge import judge_command
from tests.judge.causes.test_examples import cause_of, refuse_long_words
from tests.judge.sessions import exited, game

COMMAND = CommandRun(("make test",), is_line=True)
TEST = replace(game(), interaction=COMMAND)


def ended(status: int) -> Judgement:
    return judge_command(TEST, COMMAND, replace(exited(TEST, "Traceback\n"), exit_code=status))


def test_another_exit_status_shows_the_cause_and_the_right_one_does_not() -> None:
    assert [cause_of(ended(status)) for status in (2, 0)] == [COMMAND_FAILED.id, "passed"]
    assert TestOfCommand.causes == (COMMAND_FAILED,)


def test_its_sentences_are_short_and_in_plain_words() -> None:
    for status in (1, 126, 127, 139):
        diagnosis = ended(status).diagnosis
        assert diagnosis is not None
        refuse_long_words(diagnosis.sentence)
