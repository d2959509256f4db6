"""The verdicts that come of a checker's answer, and of how the program ended."""

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from grader.checkers.ask import ask
from grader.judge.judge import judge, judge_by_checker, judge_ending, judge_sealed
from grader.judge.seal import seal
from grader.model.ending import ANY_STATUS, NONZERO, SUCCESS, ExitsBetween, ExpectedEnding
from grader.model.expected_call import ExpectedCall, ExpectedException, ExpectedStep
from grader.model.interaction import CallCheck, FunctionCall, ReplSession, StdinRun
from grader.model.judgement import Verdict
from grader.model.outcome import CallResult, Outcome, RaisedException, StepResult, Termination
from grader.model.test import CheckerSettings, ComparisonPolicy
from grader.plugins.function_calls.judge import judge_call_by_checker
from tests.building import TEST

CHECKED = replace(
    TEST,
    program="x.py",
    points=Decimal(4),
    interaction=StdinRun("in.txt", "question"),
)
TRACEBACK = 'Traceback (most recent call last):\n  File "x.py", line 3, in <module>\n    f()\nKeyError: 3\n'


def ended(output: str, errors: str = "", ending: Termination = Termination.EXITED, code: int | None = 0) -> Outcome:
    return Outcome(
        transcript=output,
        typed=(),
        ending=ending,
        exit_code=code,
        signal=None,
        unsent=0,
        wall_seconds=0.1,
        cpu_seconds=0.1,
        errors=errors,
    )


@pytest.mark.parametrize(
    ("answer", "verdict", "cause", "score"),
    [
        ("passed()", Verdict.PASSED, None, None),
        ("passed('slow', 0.5)", Verdict.PASSED, "checker", Decimal("0.5")),
        ("wrong('no')", Verdict.WRONG_OUTPUT, "checker", None),
        ("wrong('nearly', 0.25)", Verdict.WRONG_OUTPUT, "checker", Decimal("0.25")),
        ("unknown('hard')", Verdict.INTERNAL_ERROR, "needs-review", None),
        ("1 / 0", Verdict.INTERNAL_ERROR, "internal-error", None),
        ("passed() if input + actual.stdout == 'questionanswer' else wrong('')", Verdict.PASSED, None, None),
    ],
)
def test_what_comes_of_an_answer(
    tmp_path: Path, answer: str, verdict: Verdict, cause: str | None, score: Decimal | None
) -> None:
    file = tmp_path / "c.py"
    file.write_text(
        f"from grader.checkers import passed, unknown, wrong\ndef check(input, expected, actual):\n return {answer}\n"
    )
    judgement = judge_by_checker(CHECKED, CheckerSettings("c", file, ()), "", ended("answer"), ask)
    assert judgement.verdict is verdict
    assert (judgement.diagnosis.cause.id if judgement.diagnosis else None) == cause
    assert judgement.score == score
    assert judgement.needs_review == (cause == "needs-review")


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [
        (ended("", TRACEBACK, code=1), Verdict.CRASH),
        (ended("", ending=Termination.TIMED_OUT, code=None), Verdict.TIMEOUT),
        (ended("", ending=Termination.OUTPUT_LIMIT, code=None), Verdict.OUTPUT_LIMIT),
        (ended("", code=3), Verdict.EXIT_STATUS),
    ],
)
def test_a_program_that_ends_badly_is_not_shown_to_the_checker(outcome: Outcome, verdict: Verdict) -> None:
    judgement = judge_by_checker(CHECKED, CheckerSettings("missing", Path("missing.py"), ()), "", outcome, ask)
    assert judgement.verdict is verdict
    assert judgement.diagnosis is not None


@pytest.mark.parametrize("ending", [ExitsBetween(1, 1), NONZERO, ANY_STATUS])
def test_an_uncaught_exception_is_no_exit_status_that_was_asked_for(ending: ExpectedEnding) -> None:
    test = replace(CHECKED, ending=ending)
    assert judge(test, "so\n", ended("so\n", "no such card\n", code=1)).verdict is Verdict.PASSED
    crashed = ended("so\n", TRACEBACK, code=1)
    judgements = [judge(test, "so\n", crashed), judge_sealed(test, seal("so\n", ComparisonPolicy()), crashed)]
    for judgement in judgements:
        assert judgement.verdict is Verdict.CRASH
        assert judgement.diagnosis is not None
        assert "KeyError: 3" in judgement.diagnosis.sentence
    warned = replace(test, ending=SUCCESS)
    assert judge(warned, "so\n", ended("so\n", TRACEBACK)).verdict is Verdict.PASSED


@pytest.mark.parametrize("ending", [ExitsBetween(2, 2), NONZERO, ANY_STATUS])
def test_an_exception_that_is_logged_is_caught_where_python_ends_with_another_status(ending: ExpectedEnding) -> None:
    logged = ended("so\n", TRACEBACK, code=2)
    assert judge(replace(CHECKED, ending=ending), "so\n", logged).verdict is Verdict.PASSED
    assert judge(CHECKED, "so\n", logged).verdict is Verdict.EXIT_STATUS
    assert judge(CHECKED, "other\n", logged).verdict is Verdict.WRONG_OUTPUT


@pytest.mark.parametrize("stream", ["terminal", "apart"])
def test_a_message_that_begins_as_one_of_python_is_the_programs_own(stream: str) -> None:
    test = replace(CHECKED, ending=ExitsBetween(1, 1))
    message = "SyntaxError: operand missing\n"
    outcome = ended(message, code=1) if stream == "terminal" else ended("so\n", message, code=1)
    assert judge(test, outcome.transcript, outcome).verdict is Verdict.PASSED
    assert judge_ending(test, "", outcome).verdict is Verdict.PASSED


AT_THE_PROMPT = replace(CHECKED, interaction=ReplSession(("f()",)))
RAISED = f">>> f()\n{TRACEBACK}>>> \n"


@pytest.mark.parametrize(("expected", "verdict"), [(RAISED, Verdict.PASSED), (">>> f()\n3\n>>> \n", Verdict.CRASH)])
def test_an_exception_at_the_prompt_is_for_the_checker_if_the_reference_has_one(
    tmp_path: Path, expected: str, verdict: Verdict
) -> None:
    file = tmp_path / "c.py"
    file.write_text("from grader.checkers import passed\n\ndef check(input, expected, actual):\n return passed()\n")
    settings = CheckerSettings("c", file, ())
    assert judge_by_checker(AT_THE_PROMPT, settings, expected, ended(RAISED), ask).verdict is verdict


CALL = FunctionCall(
    calls=("f(n)",), variables={"n": [1]}, setup=(), checks=frozenset(CallCheck), cards=None, lines=("yes",)
)
CALLED = replace(CHECKED, interaction=CALL)
COMES_TO = ExpectedCall((ExpectedStep([2]),), printed="two\n", given={"n": [2]})
VALUES_SEEN = [
    ("[1, 2.5, 'a', None, True]", [1, 2.5, "a", None, True]),
    ("(1,)", {"tuple": [1]}),
    ("{1, 2}", {"set": [1, 2]}),
    ("{frozenset({1})}", {"set": [{"set": [1]}]}),
    ("{(1, 2): [3]}", {"dict": [[{"tuple": [1, 2]}, [3]]]}),
    ("{Card('3♥'): 1}", {"dict": [[{"card": "3♥"}, 1]]}),
    ("Deck((Card('3♥'),))", {"deck": [{"card": "3♥"}]}),
    ("float('inf')", {"number": "inf"}),
    ("OtherValue('an object of X')", {"object": "an object of X"}),
    ("{OtherValue('[1]')}", {"set": [[1]]}),
    ("Instance('P', {'x': [Card('3♥')]})", {"instance": ["P", [["x", [{"card": "3♥"}]]]]}),
    ("OtherValue(repr({'instance': 3}))", {"instance": 3}),
    ("OtherValue(repr({'set': 3}))", {"set": 3}),
]


def judged_call(folder: Path, condition: str, outcome: Outcome) -> tuple[Verdict, str]:
    file = folder / "c.py"
    file.write_text(
        "from grader.checkers import Card, Deck, Instance, OtherValue, passed, wrong\n\n"
        f"def check(input, expected, actual):\n return passed() if {condition} else wrong(repr(actual))\n"
    )
    judgement = judge_call_by_checker(CALLED, CALL, CheckerSettings("c", file, ()), COMES_TO, outcome, ask=ask)
    return judgement.verdict, judgement.diagnosis.sentence if judgement.diagnosis else ""


@pytest.mark.parametrize(("value", "plain"), VALUES_SEEN)
def test_a_checker_gets_what_a_call_returned_as_values(tmp_path: Path, value: str, plain: object) -> None:
    called = CallResult(reached=True, asked=False, steps=(StepResult(plain),), given={"n": plain})
    condition = f"actual.returned == actual.variables['n'] == {value} and input + expected == 'yes\\ntwo\\n'"
    assert judged_call(tmp_path, condition, replace(ended("2\n"), call=called)) == (Verdict.PASSED, "")


@pytest.mark.parametrize(
    ("actual", "verdict"),
    [("m.Odd", Verdict.PASSED), ("ValueError", Verdict.WRONG_OUTPUT), (None, Verdict.WRONG_OUTPUT)],
)
def test_a_checker_gets_every_call_and_what_it_raised(tmp_path: Path, actual: str | None, verdict: Verdict) -> None:
    call = replace(CALL, calls=("f(1)", "f(2)"), variables={}, checks=frozenset({CallCheck.EXCEPTION_TYPE}))
    wanted = (ExpectedStep([1]), ExpectedStep(returned=None, raised=ExpectedException("m.Odd", "no")))
    raised = None if actual is None else RaisedException((actual, "Exception"), "yes", 0, 0)
    called = CallResult(reached=True, asked=False, steps=(StepResult({"tuple": []}), StepResult(3, raised)), given={})
    (tmp_path / "c.py").write_text(
        "from grader.checkers import RaisedError, passed, wrong\n\n"
        "def check(input, expected, actual):\n"
        "    first, second = actual.calls\n"
        "    assert (first.call, first.returned, first.raised) == ('f(1)', (), None)\n"
        "    assert actual.expected_calls[1].raised == RaisedError('Odd', 'no')\n"
        "    return passed() if second.raised == RaisedError('Odd', 'yes') else wrong('no')\n"
    )
    settings = CheckerSettings("c", tmp_path / "c.py", ())
    outcome = replace(ended("2\n"), call=called)
    judgement = judge_call_by_checker(
        replace(CALLED, interaction=call), call, settings, ExpectedCall(wanted, "", {}), outcome, ask=ask
    )
    assert judgement.verdict is verdict, judgement


def test_a_value_nested_very_deeply_is_no_fault_of_the_checker(tmp_path: Path) -> None:
    nested: object = 1
    for _ in range(500):
        nested = [nested]
    called = CallResult(reached=True, asked=False, steps=(StepResult(nested),), given={"n": [2]})
    verdict, _ = judged_call(tmp_path, "actual.returned != actual.expected_returned", replace(ended(""), call=called))
    assert verdict is Verdict.PASSED


@pytest.mark.parametrize(
    ("outcome", "called", "verdict"),
    [
        (ended(TRACEBACK, code=1), CallResult(reached=True), Verdict.CRASH),
        (ended("", code=0), CallResult(reached=True), Verdict.EXIT_STATUS),
        (ended("", code=0), CallResult(asked=True), Verdict.WRONG_OUTPUT),
        (ended("", ending=Termination.TIMED_OUT, code=None), CallResult(), Verdict.TIMEOUT),
    ],
)
def test_a_call_that_does_not_return_is_not_shown_to_the_checker(
    tmp_path: Path, outcome: Outcome, called: CallResult, verdict: Verdict
) -> None:
    found, sentence = judged_call(tmp_path, "1 / 0", replace(outcome, call=called))
    assert found is verdict
    assert sentence
