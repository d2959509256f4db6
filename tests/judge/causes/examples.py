"""For each cause a session that shows it, and a close one that does not."""

import signal
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from grader.checkers import CheckResult, unknown, wrong
from grader.checkers.ask import CheckerError
from grader.grading.student_result import with_verdicts
from grader.judge.causes import (
    ending,
    exceptions,
    limits,
    reading,
    starting,
    text,
)
from grader.judge.judge import judge, judge_by_checker, judge_sealed
from grader.judge.output_checks import judge_by_checks
from grader.judge.seal import seal
from grader.judge.side_output import ExpectedSideOutput, judge_side_output
from grader.marks.counting import with_required_tests
from grader.model.cause import Cause
from grader.model.counting import Counting
from grader.model.expectation import Contains, OutputCheck
from grader.model.expected_call import ExpectedCall, ExpectedException, ExpectedStep
from grader.model.general_causes import (
    CHECKER,
    INTERNAL_ERROR,
    NEEDS_REVIEW,
    OUTPUT_CHECK,
    OVERRIDE,
    REQUIRED_TEST,
    SEALED,
    SIDE_OUTPUT,
)
from grader.model.interaction import CallCheck, FunctionCall
from grader.model.judgement import Judgement, Verdict
from grader.model.mark import InstructorDecision, VerdictOverride
from grader.model.outcome import (
    CallResult,
    Outcome,
    StepResult,
    Termination,
    TypedLine,
)
from grader.model.plain_values import Plain
from grader.model.test import CheckerSettings, SideOutput, Test
from grader.plugins.content_causes import characters, line, order, prompts
from grader.plugins.error_reports import causes as found_errors
from grader.plugins.function_calls import causes as function
from grader.plugins.function_calls.judge import judge_call
from grader.spec.tests_file import USUAL_CHECKS
from tests.judge.causes.failures import LOST, LOST_GAME, first_lines
from tests.judge.causes.failures_in_endings import (
    CALL_NOT_COMPILED,
    CALLED_IN_C,
    COMPILED,
    IN_UTF_16,
    LEAKS,
    OUT_OF_MEMORY,
    OVER_THE_LIMIT,
    OVERFLOW,
    PAST_THE_END,
    UNAVAILABLE,
    UNDER_SANITIZERS,
    UNREADABLE,
)
from tests.judge.causes.failures_in_input import ASKS_AGAIN, IN_PLAY
from tests.judge.sessions import at_prompt, ended, exited, game
from tests.reports import graded_example


@dataclass(frozen=True)
class Example:
    """`shows` must get the cause, and `close` another one or none: `instead`, an id or `passed`."""

    cause: Cause
    shows: Judgement
    close: Judgement
    instead: str


def texts(cause: Cause, expected: str, shows: str, close: str, instead: str, *typed: str) -> Example:
    """Two transcripts of a program that ends well."""
    return sessions(cause, game(*typed), expected, exited(game(*typed), shows), exited(game(*typed), close), instead)


def sessions(cause: Cause, test: Test, expected: str, shows: Outcome, close: Outcome, instead: str) -> Example:
    return Example(cause, judge(test, expected, shows), judge(test, expected, close), instead)


def lost(cause: Cause, shows: Outcome, close: Outcome, instead: str) -> Example:
    """Two sessions of a lost game."""
    return sessions(cause, LOST_GAME, LOST, shows, close, instead)


def watched(cause: Cause, shows: str, close: str, instead: str) -> Example:
    """Two reports on a program whose output is right."""
    right = exited(UNDER_SANITIZERS, LOST)
    reported, other = replace(right, error_report=shows), replace(right, error_report=close)
    return sessions(cause, UNDER_SANITIZERS, LOST, reported, other, instead)


def crashes(error: str) -> Outcome:
    return exited(LOST_GAME, OVER_THE_LIMIT.format("step()", error), 1)


def stopped(ending_: Termination, number: int | None = None) -> Outcome:
    return ended(exited(LOST_GAME, first_lines(LOST, 1)), ending_, number)


CALLED = at_prompt("import solitaire_1", "solitaire_1.play()")
CALLED_SHOWS = ">>> import solitaire_1\n>>> solitaire_1.play()\nWon\n>>> \n"

RUNNING = (
    lost(ending.CANCELLED, stopped(Termination.CANCELLED), stopped(Termination.TIMED_OUT), "timeout"),
    lost(limits.TIMEOUT, stopped(Termination.TIMED_OUT), stopped(Termination.OUTPUT_LIMIT), "output-limit"),
    lost(limits.OUTPUT_LIMIT, stopped(Termination.OUTPUT_LIMIT), exited(LOST_GAME, LOST * 2), "extra-output"),
    lost(
        limits.CPU,
        stopped(Termination.SIGNALLED, signal.SIGXCPU),
        stopped(Termination.SIGNALLED, signal.SIGKILL),
        "signal",
    ),
    lost(limits.MEMORY, exited(LOST_GAME, OUT_OF_MEMORY, 1), crashes("IndexError: no memory"), "crash"),
    lost(limits.PROCESSES, crashes(f"BlockingIO{UNAVAILABLE}"), crashes(f"OS{UNAVAILABLE}"), "crash"),
    lost(
        limits.FILE_SIZE,
        crashes("OSError: [Errno 27] File too large"),
        crashes("OSError: [Errno 2] No such file"),
        "crash",
    ),
    lost(
        limits.OPEN_FILES,
        crashes("OSError: [Errno 24] Too many open files"),
        crashes("OSError: [Errno 9] Bad file descriptor"),
        "crash",
    ),
    lost(exceptions.SOURCE_FORMAT, exited(LOST_GAME, IN_UTF_16, 1), exited(LOST_GAME, UNREADABLE, 1), "syntax-error"),
    lost(exceptions.SYNTAX_ERROR, exited(LOST_GAME, UNREADABLE, 1), exited(LOST_GAME, IN_PLAY, 1), "crash"),
    lost(exceptions.CRASH, exited(LOST_GAME, IN_PLAY, 1), exited(LOST_GAME, IN_PLAY), "printed-traceback"),
    lost(exceptions.PRINTED_TRACEBACK, exited(LOST_GAME, IN_PLAY), exited(LOST_GAME, IN_PLAY, 1), "crash"),
    lost(ending.SIGNAL, stopped(Termination.SIGNALLED, signal.SIGSEGV), exited(LOST_GAME, LOST, 11), "exit-status"),
    lost(ending.EXIT_STATUS, exited(LOST_GAME, LOST, 3), exited(LOST_GAME, LOST), "passed"),
    watched(found_errors.MEMORY_ERROR, PAST_THE_END, LEAKS, "memory-leak"),
    watched(found_errors.MEMORY_LEAK, LEAKS, OVERFLOW, "undefined-behaviour"),
    watched(found_errors.UNDEFINED_BEHAVIOUR, OVERFLOW, "", "passed"),
    sessions(
        starting.BUILD_ERROR,
        COMPILED,
        LOST,
        replace(exited(COMPILED, "game.cpp:3: error", 1), in_build=True),
        exited(COMPILED, LOST, 1),
        "exit-status",
    ),
    sessions(
        function.CANNOT_BE_CALLED,
        CALLED_IN_C,
        "",
        replace(exited(CALLED_IN_C, CALL_NOT_COMPILED, 1), in_build=True, call=CallResult()),
        replace(exited(CALLED_IN_C, CALL_NOT_COMPILED, 1), in_build=True),
        "build-error",
    ),
    sessions(
        starting.IMPORT_ASKS_FOR_INPUT,
        CALLED,
        CALLED_SHOWS,
        exited(CALLED, ">>> import solitaire_1\nSeed: solitaire_1.play()\n>>> \n"),
        exited(CALLED, ">>> import solitaire_1\n>>> solitaire_1.play()\nSeed: \n>>> \n"),
        "text",
    ),
    sessions(
        starting.IMPORT_PRINTS,
        CALLED,
        CALLED_SHOWS,
        exited(CALLED, ">>> import solitaire_1\nHello\n>>> solitaire_1.play()\nWon\n>>> \n"),
        exited(CALLED, ">>> import solitaire_1\n>>> solitaire_1.play()\nHello\nWon\n>>> \n"),
        "extra-line",
    ),
)

CONTENT = (
    texts(ending.NO_OUTPUT, "a\nb\n", "", "a\n", "truncated-output"),
    texts(ending.TRUNCATED_OUTPUT, "a\nb\nc\n", "a\nb\n", "a\nb\nd\n", "text"),
    texts(ending.EXTRA_OUTPUT, "a\nb\n", "a\nb\nc\n", "a\nb\n\n", "blank-line"),
    texts(order.MISSING_NEWLINE, "a\nb\nc\n", "a\nb c\n", "a\nb d\n", "line-too-long"),
    texts(order.EXTRA_NEWLINE, "a\nb c\nd\n", "a\nb\nc\nd\n", "a\nb\nd\n", "line-cut-short"),
    texts(order.REPEATED_LINES, "a\nb\nc\n", "a\na\nb\nb\nc\nc\n", "a\na\nb\nc\n", "extra-line"),
    texts(order.MISSING_LINE, "a\nb\nc\nd\n", "a\nc\nd\n", "a\nx\nc\nd\n", "text"),
    texts(order.EXTRA_LINE, "a\nb\nc\nd\n", "a\nx\nb\nc\nd\n", "a\nx\nc\nd\n", "text"),
    texts(order.LINE_ORDER, "a\nb\nc\nd\n", "a\nc\nb\nd\n", "a\nc\nx\nd\n", "text"),
    texts(characters.BLANK_LINE, "a\n\nb\n", "a\nb\n", "a\n\n", "truncated-output"),
    texts(characters.FINAL_NEWLINE, "a\nb\n", "a\nb", "a\nb ", "trailing-whitespace"),
    texts(line.NUMBER, "Score 1\n", "Score 2\n", "Score two\n", "text"),
    texts(line.SYMBOL, "Lost \u2639\n", "Lost \U0001f60a\n", "Lost :-(\n", "text"),
    texts(line.LINE_CUT_SHORT, "a\nbcd\ne\n", "a\nbc\ne\n", "a\nxbc\ne\n", "text"),
    texts(line.LINE_TOO_LONG, "a\nbc\nd\n", "a\nbcx\nd\n", "a\nxbc\nd\n", "text"),
    texts(text.TEXT, "a\nb\nc\n", "a\nx\nc\n", "a\nB\nc\n", "case"),
)

WRITING = (
    texts(characters.TRAILING_WHITESPACE, "a\n", "a \n", " a\n", "spacing"),
    texts(characters.SPACING, "a  b\n", "a b\n", "a\tb\n", "tabs"),
    texts(characters.TABS, "a\tb\n", "a   b\n", "a\tb\t\n", "trailing-whitespace"),
    texts(characters.CASE, "So Sorry\n", "So sorry\n", "So silly\n", "text"),
    texts(characters.VARIATION_SELECTOR, "\u2639\ufe0f\n", "\u2639\n", "\u2639\u200b\n", "symbol"),
    texts(characters.INVISIBLE_CHARACTER, "ab\n", "a\u200bb\n", "a\rb\n", "carriage-return"),
    texts(characters.CARRIAGE_RETURN, "ab\n", "ab\r\n", "ab\t\n", "trailing-whitespace"),
    texts(characters.ANSI_ESCAPE, "ab\n", "\x1b[1mab\x1b[0m\n", "[1mab[0m\n", "text"),
    texts(characters.CONFUSABLE_CHARACTER, "a - b\n", "a \u2013 b\n", "a \u2022 b\n", "symbol"),
    texts(characters.UNICODE_NORMALIZATION, "caf\u00e9\n", "cafe\u0301\n", "caf\u00e8\n", "symbol"),
    texts(characters.ENCODING, "caf\u00e9 au lait\n", "caf\u00c3\u00a9 au lait\n", "cafe au lait\n", "symbol"),
)

INPUT = (
    texts(prompts.WRONG_PROMPT, "Seed: 4\nBye\n", "Number: 4\nBye\n", "Seed: 4\nCiao\n", "text", "4"),
    sessions(
        prompts.HIDDEN_INPUT,
        game("4"),
        "Seed: 4\nBye\n",
        replace(exited(game("4"), "Seed: \nBye\n"), typed=(TypedLine(6, "4"),), unsent=0),
        exited(game("4"), "Seed: \nBye\n"),
        "line-cut-short",
    ),
    sessions(
        prompts.SHOWN_INPUT,
        game("4"),
        "Seed: \nBye\n",
        exited(game("4"), "Seed: 4\nBye\n"),
        exited(game("4"), "Number: 4\nBye\n"),
        "asks-at-another-time",
    ),
    texts(prompts.ECHOED_INPUT, "? 4\n? 5\nBye\n", "? 4\n4\n? 5\nBye\n", "? 4\nx\n? 5\nBye\n", "extra-line", "4", "5"),
    texts(
        prompts.ASKS_AT_ANOTHER_TIME,
        "Rules\nMenu\nSeed: 4\nBye\n",
        "Seed: 4\nRules\nMenu\nBye\n",
        "Menu\nSeed: 4\nBye\n",
        "missing-line",
        "4",
    ),
    texts(reading.UNREAD_INPUT, "? 4\n? 5\nBye\n", "? 4\n", "? 4\n? 5\n", "truncated-output", "4", "5"),
    lost(
        reading.READS_PAST_INPUT, exited(LOST_GAME, LOST + ASKS_AGAIN, 1), exited(LOST_GAME, LOST + IN_PLAY, 1), "crash"
    ),
)

CALL = FunctionCall(calls=("f(cards)",), variables={"cards": [1]}, setup=(), checks=frozenset(USUAL_CHECKS), cards=None)
TEST_OF_CALL = replace(game(), interaction=CALL)
COMES_TO = ExpectedCall((ExpectedStep([1]),), printed="", given={"cards": [1]})


def call(result: CallResult) -> Judgement:
    """The judgement on a call of `f(cards)`, which must return `[1]` and leave `cards` alone."""
    return judge_call(TEST_OF_CALL, CALL, COMES_TO, replace(exited(TEST_OF_CALL, ""), call=result))


def returns(value: Plain, cards: Plain) -> Judgement:
    return call(CallResult(reached=True, asked=False, steps=(StepResult(value),), given={"cards": cards}))


RAISING = replace(CALL, checks=frozenset({CallCheck.EXCEPTION_TYPE}))
RAISES = ExpectedCall((ExpectedStep(None, ExpectedException("ValueError", "no")),), printed="", given={})
RETURNED = CallResult(reached=True, asked=False, steps=(StepResult([1]),), given={"cards": [1]})
CALLS = (
    Example(function.RETURNED, returns([2], [1]), returns([1], [1]), "passed"),
    Example(function.GIVEN, returns([1], [1, 2]), returns([2], [1]), "returned"),
    Example(
        function.EXCEPTION,
        judge_call(TEST_OF_CALL, RAISING, RAISES, replace(exited(TEST_OF_CALL, ""), call=RETURNED)),
        call(RETURNED),
        "passed",
    ),
    Example(
        function.CALLS_EXIT,
        call(CallResult(reached=True)),
        returns(None, [1]),
        "returned",
    ),
)


def checked(answer: Callable[[], CheckResult]) -> Judgement:
    """The judgement on an answer of a checker."""
    settings = CheckerSettings("checker", Path("checker.py"), ())
    return judge_by_checker(game(), settings, "", exited(game(), "4\n"), lambda *_: answer())


def fails() -> CheckResult:
    raise CheckerError("The checker failed: KeyError.")


def checks_for(text: str) -> Judgement:
    """The judgement on a program that prints its grade."""
    return judge_by_checks(game(), [OutputCheck(kind=Contains((text,)))], "", exited(game(), "Grade 4\n"))


def left_behind(written: dict[str, str | None]) -> Judgement:
    """The judgement on a program that should write a file."""
    test = replace(game(), side_output=SideOutput(files=("out.csv",)))
    outcome = replace(exited(test, "4\n"), written=written)
    return judge_side_output(test, ExpectedSideOutput(files={"out.csv": "1\n"}), outcome, judge(test, "4\n", outcome))


SEAL = seal("Number: 4\n", game().comparison)
WRONG = graded_example.row("student", "Number: 4\nDouble: 9\n").graded
DECIDED = with_verdicts(
    WRONG,
    [VerdictOverride("small", Verdict.CRASH, Decimal(0), InstructorDecision("The handout forbids it", "the lecturer"))],
)


def requiring(test: str) -> Judgement:
    """The judgement on a failed test that requires another one, of which one is `unknown` as yet and one passed."""
    failed = WRONG.results[0]
    waiting = replace(failed, test=replace(failed.test, id="waiting", counting=Counting(requires=(test,))))
    passed = replace(failed, judgement=Judgement(verdict=Verdict.PASSED))
    review = Judgement.without_verdict(NEEDS_REVIEW, "A person must decide.")
    unknown_yet = replace(failed, test=replace(failed.test, id="unknown"), judgement=review)
    return with_required_tests((passed, unknown_yet, waiting))[2].judgement


STAFF = (
    Example(INTERNAL_ERROR, checked(fails), checked(lambda: unknown("hard")), "needs-review"),
    Example(NEEDS_REVIEW, checked(lambda: unknown("hard")), checked(lambda: wrong("A pile is empty.")), "checker"),
    Example(CHECKER, checked(lambda: wrong("A pile is empty.")), checked(fails), "internal-error"),
    Example(
        SEALED,
        judge_sealed(game(), SEAL, exited(game(), "Number: 5\n")),
        judge_sealed(game(), SEAL, exited(game(), "Number: 4\n")),
        "passed",
    ),
    Example(OUTPUT_CHECK, checks_for("Grade 3"), checks_for("Grade"), "passed"),
    Example(SIDE_OUTPUT, left_behind({"out.csv": None}), left_behind({"out.csv": "1\n"}), "passed"),
    Example(REQUIRED_TEST, requiring("unknown"), requiring("small"), "text"),
    Example(OVERRIDE, DECIDED.results[0].judgement, WRONG.results[0].judgement, "text"),
)

EXAMPLES = (*RUNNING, *CONTENT, *WRITING, *INPUT, *CALLS, *STAFF)
