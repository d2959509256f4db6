"""Judges a command by the way it ended."""

from dataclasses import replace

from grader.judge.judge import judge_ending
from grader.model.judgement import Judgement, Verdict
from grader.model.outcome import Outcome
from grader.model.test import Test
from grader.plugins.command_tests import causes
from grader.plugins.command_tests.interaction import CommandRun
from grader.plugins.command_tests.report import report_in


def judge_command(test: Test, command: CommandRun, outcome: Outcome) -> Judgement:
    """Judge the ending of a command; its output, such as tracebacks of failed tests, is left to the reader."""
    if outcome.in_build:
        return judge_ending(test, "", outcome)
    silent = replace(outcome, transcript="", errors="")
    judgement = judge_ending(test, "", silent)
    if judgement.verdict in (Verdict.EXIT_STATUS, Verdict.CRASH) and (report := report_in(outcome.transcript)):
        return judge_ending(test, "", replace(silent, error_report=report))
    match judgement.verdict:
        case Verdict.EXIT_STATUS:
            diagnosis = causes.failed(command.text, outcome.exit_code, test.ending.words)
        case Verdict.CRASH if outcome.signal is not None:
            diagnosis = causes.ended_by_signal(command.text, outcome.signal)
        case Verdict.TIMEOUT:
            diagnosis = causes.timed_out(command.text, outcome.wall_seconds)
        case _:
            return judgement
    return replace(judgement, diagnosis=diagnosis)
