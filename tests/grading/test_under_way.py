"""Tests under way are named when they take long, each until it ends."""

from grader.grading.under_way import NamingTick, under_way


def test_two_attempts_of_a_student_are_each_named_until_they_end() -> None:
    now = [0.0]
    tick = NamingTick(lambda: None, clock=lambda: now[0])
    first, second = under_way(tick, "ada", "small"), under_way(tick, "ada", "small")
    first.__enter__()
    now[0] = 5
    second.__enter__()
    now[0] = 12
    assert tick.longest() == "ada: test small, 12 s"
    first.__exit__(None, None, None)
    assert tick.longest() == ""
    now[0] = 16
    assert tick.longest() == "ada: test small, 11 s"
    second.__exit__(None, None, None)
    assert tick.longest() == ""
