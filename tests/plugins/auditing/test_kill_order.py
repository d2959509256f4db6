"""The test that is likely to catch a mutant soonest is tried first."""

from grader.plugins.auditing.trial import KillOrder


def test_before_anything_is_known_the_shortest_goes_first() -> None:
    assert KillOrder().sorted({"long": 2.0, "short": 0.1}) == ["short", "long"]


def test_what_catches_goes_before_what_does_not() -> None:
    order = KillOrder()
    for _ in range(3):
        order.note("blind", caught=False)
        order.note("sharp", caught=True)
    assert order.sorted({"blind": 0.1, "new": 0.1, "sharp": 0.1}) == ["sharp", "new", "blind"]


def test_a_little_more_time_is_worth_a_better_chance() -> None:
    order = KillOrder()
    for _ in range(8):
        order.note("blind", caught=False)
        order.note("sharp", caught=True)
    assert order.sorted({"blind": 0.1, "sharp": 0.4}) == ["sharp", "blind"]
    assert order.sorted({"blind": 0.1, "sharp": 4.0}) == ["blind", "sharp"]
