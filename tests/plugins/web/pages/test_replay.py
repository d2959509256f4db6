from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from grader.model.interaction import Dialogue, typed_lines
from grader.model.judgement import Judgement, Verdict
from grader.model.outcome import Outcome, Termination, TypedLine
from grader.model.results import TestResult
from grader.plugins.web.pages.result_view import replay
from tests.reports.graded_example import GAME
from tests.reports.site_example import TALK, result, talk, talk_outcome


def outcome(transcript: str, *typed: tuple[int, str]) -> Outcome:
    lines = tuple(TypedLine(*one) for one in typed)
    return Outcome(
        transcript=transcript,
        typed=lines,
        ending=Termination.EXITED,
        exit_code=0,
        signal=None,
        unsent=0,
        wall_seconds=0,
        cpu_seconds=0,
    )


def test_a_step_is_what_was_printed_and_what_was_then_typed() -> None:
    steps = replay(result(TALK, talk()[0], talk_outcome("I said")))
    assert [(step.printed, step.typed, step.differs) for step in steps] == [
        ("Question 1? ", "1", False),
        ('You said<i class="t">\t</i>1\nQuestion 2? ', "2", False),
        ('I said<i class="t">\t</i>2\nQuestion 3? ', "3", True),
        ('I said<i class="t">\t</i>3\n', None, False),
    ]


def test_without_echo_nothing_is_taken_for_one() -> None:
    test = replace(TALK, interaction=Dialogue(typed_lines(TALK.interaction), echo=False))
    steps = replay(
        TestResult(
            test=test,
            judgement=Judgement(verdict=Verdict.CRASH),
            outcome=outcome("? 1 is odd", (2, "1")),
            expected="",
        )
    )
    assert [(step.printed, step.typed) for step in steps] == [("? ", "1"), ("1 is odd", None)]


def test_a_program_that_prints_nothing_has_one_step() -> None:
    steps = replay(
        TestResult(
            test=GAME,
            judgement=Judgement(verdict=Verdict.CRASH),
            outcome=outcome(""),
            expected="",
        )
    )
    assert [(step.printed, step.typed) for step in steps] == [("", None)]


def test_a_build_is_no_session() -> None:
    failed = replace(outcome("error"), in_build=True)
    assert not replay(
        TestResult(
            test=GAME,
            judgement=Judgement(verdict=Verdict.BUILD_ERROR),
            outcome=failed,
            expected="",
        )
    )


def test_a_long_session_is_cut_but_not_where_it_differs() -> None:
    prompts = 20_000
    expected = "".join(f"{number}? 1\n" for number in range(prompts))
    actual = expected.replace("\n12000? ", "\n12000! ")
    typed = [(end + 2, "1") for end in range(len(actual)) if actual[end] in "?!"]
    steps = replay(result(TALK, expected, outcome(actual, *typed)))
    assert len(steps) < 3000
    assert [step.printed for step in steps if step.differs] == ["12000! "]
    assert len(steps) + sum(step.omitted for step in steps) == prompts
    assert "steps left out" in "".join(step.html for step in steps)


def test_a_long_step_is_cut_and_says_so() -> None:
    (step,) = replay(
        TestResult(
            test=GAME,
            judgement=Judgement(verdict=Verdict.OUTPUT_LIMIT),
            outcome=outcome("x" * 1_000_000),
            expected="",
        )
    )
    assert len(step.printed) < 10_000
    assert '<i class="cut">… 992,500 characters left out …</i>' in step.printed


@given(
    st.lists(st.tuples(st.text("ab\n", max_size=9), st.text("12", max_size=3)), max_size=9), st.text("xy\n", max_size=9)
)
def test_short_sessions_are_whole(turns: list[tuple[str, str]], last: str) -> None:
    transcript = ""
    typed = []
    for said, line in turns:
        transcript += said
        typed.append((len(transcript), line))
        transcript += f"{line}\n"
    transcript += last
    steps = replay(
        TestResult(
            test=GAME,
            judgement=Judgement(verdict=Verdict.CRASH),
            outcome=outcome(transcript, *typed),
            expected="",
        )
    )
    again = "".join(f"{step.printed}{'' if step.typed is None else step.typed + chr(10)}" for step in steps)
    assert again == transcript
