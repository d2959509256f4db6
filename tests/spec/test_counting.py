"""How tests count as their files say it: values, shares that add up, and the messages about slips."""

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.errors import SpecError
from grader.model.amount import amount, total
from grader.model.counting import Counting, GroupCount, TestGroup
from grader.model.partial_credit import Milestone, Milestones, PartialCredit, PartialLines, TextInLine, WholeLine
from grader.spec.load import load_assignment
from tests.spec.spec_folder import ASSIGNMENT, TESTS, load, problems_of, write_assignment

UNHURRIED = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
HEAD = "format: 1\nprogram: game.py\npart: play\n"


def file_of(*lines: str, head: str = "") -> str:
    """A tests file; each line is what a test says after its id, which is its letter."""
    items = "".join(
        f"  - {{id: {letter}, input: [], {line}}}\n" for letter, line in zip("abcdefghij", lines, strict=False)
    )
    return f"{HEAD}{head}tests:\n{items}"


def points(folder: Path) -> list[Decimal | Fraction]:
    return [test.points for test in load(folder).tests]


def test_tests_share_what_is_left_of_the_marks_of_their_part(tmp_path: Path) -> None:
    content = file_of("points: 0.5", "points: equal", "points: equal", "points: equal", "points: 7, bonus: true")
    found = points(write_assignment(tmp_path, play=content))
    assert found == [Decimal("0.5"), *[Fraction(1, 6)] * 3, Decimal(7)]


def test_shares_of_all_files_of_a_part_are_equal(tmp_path: Path) -> None:
    first = file_of("title: one", head="points: equal\n")
    second = first.replace("id: a", "id: z-$n, for: {n: 1..3}")
    assert points(write_assignment(tmp_path, first=first, second=second)) == [Decimal("0.25")] * 4


def test_the_tests_of_a_loop_or_file_share_a_number(tmp_path: Path) -> None:
    content = f"{HEAD}shared_points: 0.4\ntests:\n  - {{id: a, input: []}}\n  - {{id: b, input: []}}\n"
    content += "  - {id: c-$n, for: {n: 1..3}, shared_points: 0.5, input: []}\n  - {id: d, input: [], points: 0.1}\n"
    found = points(write_assignment(tmp_path, play=content))
    assert found == [Decimal("0.2")] * 2 + [Fraction(1, 6)] * 3 + [Decimal("0.1")]


@UNHURRIED
@given(
    count=st.integers(1, 60),
    marks=st.decimals("0.0001", 100, places=4),
    own=st.lists(st.decimals(0, 100, places=4), max_size=4),
)
def test_shares_always_add_up_to_the_marks(
    count: int, marks: Decimal, own: list[Decimal], tmp_path_factory: pytest.TempPathFactory
) -> None:
    stated = "".join(f"  - {{id: own-{index}, input: [], points: {one}}}\n" for index, one in enumerate(own))
    content = f"{HEAD}tests:\n{stated}  - {{id: n-$n, for: {{n: 1..{count}}}, input: [], points: equal}}\n"
    assignment = ASSIGNMENT.replace("marks: 1", f"marks: {marks}")
    folder = write_assignment(tmp_path_factory.mktemp("course"), assignment=assignment, play=content)
    if sum(own) >= marks:
        with pytest.raises(SpecError, match=r"nothing of the marks|expected its marks"):
            load(folder)
        return
    tests = load(folder).tests
    shared = [test.points for test in tests if test.id.startswith("n-")]
    assert len(set(shared)) == 1
    assert total(test.points for test in tests) == marks
    assert sum(Fraction(one) for one in shared) == Fraction(marks - sum(own, Decimal(0)))


@given(st.fractions(0, 1000))
def test_an_amount_is_the_fraction_that_it_stands_for(value: Fraction) -> None:
    assert Fraction(amount(value)) == value


GROUPS = ASSIGNMENT.replace(
    "due:", "groups:\n  - {id: shuffles, title: Shuffling, part: play, points: 0.6, count: least}\ndue:"
)


def test_groups_of_the_assignment_and_of_a_file(tmp_path: Path) -> None:
    head = "groups: [{id: ends, points: 0.4, count: sum}, {id: more, points: 3, count: best, bonus: true}]\n"
    content = file_of("group: shuffles", "group: ends", "group: ends, weight: 2.5", "group: more", head=head)
    assignment = load(write_assignment(tmp_path, assignment=GROUPS, play=content))
    assert assignment.groups == (
        TestGroup(
            id="shuffles", title="Shuffling", part="play", points=Decimal("0.6"), count=GroupCount.LEAST, bonus=False
        ),
        TestGroup(id="ends", title="", part="play", points=Decimal("0.4"), count=GroupCount.SUM),
        TestGroup(id="more", title="", part="play", points=Decimal(3), count=GroupCount.BEST, bonus=True),
    )
    assert [test.counting.group for test in assignment.tests] == ["shuffles", "ends", "ends", "more"]
    assert assignment.tests[2].counting.weight == Decimal("2.5")
    assert {test.points for test in assignment.tests} == {Decimal(0)}
    assert assignment.marks == assignment.highest_mark == 1


def test_what_a_whole_file_requires_is_not_required_by_itself(tmp_path: Path) -> None:
    lines = ("points: 0", "points: 0", "points: 1", "points: 0, requires: []", "points: 0, requires: [c]")
    content = file_of(*lines, head="requires: [a, b]\n")
    tests = load(write_assignment(tmp_path, play=content)).tests
    assert [test.counting.requires for test in tests] == [(), (), ("a", "b"), (), ("c",)]


def test_loops_fill_in_what_is_required_and_said(tmp_path: Path) -> None:
    content = (
        f"{HEAD}tests:\n  - {{id: start-$n, for: {{n: [1, 2]}}, input: [], points: 0}}\n"
        "  - {id: a-$n, for: {n: [1, 2]}, input: [], points: 0.5, requires: [start-$n], hint: Try $n.,\n"
        "     hints: {order: It is $n.}, milestones: [{line: Round $n, share: 0.5}, {text: won $n, share: 0.25}]}\n"
    ).replace("order:", "line-order:")
    test = load(write_assignment(tmp_path, play=content)).tests[3]
    assert test.counting == Counting(requires=("start-2",))
    assert test.hints.after("line-order") == ("It is 2.", "Try 2.")
    assert test.hints.after("crash") == ("Try 2.",)
    signs = Milestone(WholeLine("Round 2"), Decimal("0.5")), Milestone(TextInLine("won 2"), Decimal("0.25"))
    assert test.partial == PartialCredit(Milestones(signs))


def test_hints_of_the_assignment_come_after_those_of_a_test(tmp_path: Path) -> None:
    assignment = ASSIGNMENT.replace("due:", "hints: {blank-line: Count the lines., text: Read page 3.}\ndue:")
    content = file_of("points: 1, hints: {text: Read page 4.}, hint: Ask the tutor.")
    hints = load(write_assignment(tmp_path, assignment=assignment, play=content)).tests[0].hints
    assert hints.after("text") == ("Read page 4.", "Ask the tutor.")
    assert hints.after("blank-line") == ("Count the lines.", "Ask the tutor.")


def test_partial_credit_of_a_file_is_for_tests_that_compare_a_transcript(tmp_path: Path) -> None:
    content = file_of(
        "points: 1", "points: 0, call: f()", "points: 0, partial_if_stopped: true", head="partial: lines\n"
    )
    tests = load(write_assignment(tmp_path, play=content)).tests
    lines = PartialCredit(PartialLines())
    assert [test.partial for test in tests] == [lines, None, PartialCredit(PartialLines(), if_stopped=True)]


def test_bonus_points_are_beyond_the_marks(tmp_path: Path) -> None:
    assignment = ASSIGNMENT.replace("due:", "  - {id: extra, title: Extra, marks: 2, bonus: true}\nmax_mark: 2.5\ndue:")
    extra = file_of("points: equal", "points: equal", "points: equal").replace("part: play", "part: extra")
    extra = extra.replace("id: ", "id: x-")
    folder = write_assignment(tmp_path, assignment=assignment, play=file_of("points: 1"), extra=extra)
    found = load(folder)
    assert (found.marks, found.highest_mark) == (Decimal(1), Decimal("2.5"))
    assert [test.points for test in found.tests if test.part == "extra"] == [Fraction(2, 3)] * 3


ASSIGNMENT_SLIPS = [
    ("max_mark: 2", "8:1: found `max_mark`, but no test, group or part with `bonus`"),
    (
        "hints: {order: Sort.}",
        "8:9: there is no cause `order` that a hint could be for; did you mean",
    ),
    ("hints: {internal-error: Wait.}", "8:9: there is no cause `internal-error` that a hint could be for"),
    ("hints: {text: ''}", "8:15: found nothing; expected a non-empty line of text"),
    ("groups: [{id: g, part: play, points: 1, count: all}]", "8:15: no test is in the group `g`"),
    ("groups: [{id: play, part: play, points: 1, count: all}]", "8:15: the part `play` has this id already"),
    ("groups: [{id: g, part: p, points: 1, count: all}]", "8:24: there is no part `p` in assignment.yaml"),
    (
        "groups: [{id: g, part: play, points: 1, count: most}]",
        "8:48: found `most`; expected `all`, `sum`, `least` or `best`",
    ),
    ("groups: [{id: g, part: play, points: 0, count: all}]", "8:38: found `0`; expected more than 0"),
]


@pytest.mark.parametrize(("line", "message"), ASSIGNMENT_SLIPS, ids=[slip[0][:40] for slip in ASSIGNMENT_SLIPS])
def test_a_slip_in_the_assignment(line: str, message: str, tmp_path: Path) -> None:
    said = problems_of(write_assignment(tmp_path, assignment=ASSIGNMENT.replace("due:", f"{line}\ndue:")))
    assert f"assignment.yaml:{message}" in said, said


# What a test says, with a mark where the problem is; without a mark it is the test as a whole.
TEST_SLIPS = [
    # Points.
    ("points: 1, shared_points: 2", "found `points` and `shared_points`; expected one of them"),
    ("points: ▸equals", "found `equals`; expected a number such as 3.5"),
    ("points: ▸-1", "found `-1`; expected at least 0"),
    ("shared_points: ▸0", "found `0`; expected more than 0"),
    ("points: equal, bonus: ▸true", "a bonus test has no share in the marks of its part; give it `points`"),
    # Groups.
    ("group: ▸shufles", "there is no group `shufles`; did you mean `shuffles`?"),
    ("group: shuffles, points: ▸1", "a test of the group `shuffles` has no `points`: the group has them"),
    ("group: shuffles, shared_points: ▸1", "a test of the group `shuffles` has no `shared_points`"),
    ("group: shuffles, weight: ▸2", "weights are for groups that count `sum`; `shuffles` counts `least`"),
    ("group: shuffles, bonus: ▸true", "say `bonus` of the group `shuffles`, which has the points"),
    ("points: 1, weight: ▸2", "found `weight` without `group`; a weight is for tests of a group"),
    ("points: 1, weight: ▸0", "found `0`; expected more than 0"),
    # Required tests.
    ("points: 1, requires: [▸b]", "there is no test `b`"),
    ("points: 1, requires: [▸a]", "this test requires itself: a -> a"),
    ("points: 1, requires: ▸[a, a]", "`a` is given twice"),
    # Partial credit.
    ("points: 1, partial: ▸some", "found `some`; expected `lines`, `steps`, `checks` or `repair`"),
    ("points: 1, partial: ▸steps", "found `partial: steps` in a test that types nothing; expected `lines`"),
    ("points: 1, partial_if_stopped: ▸true", "found `partial_if_stopped` without `partial` or `milestones`"),
    ("points: 1, call: f(), partial: ▸lines", "found `partial` in a test with `call`"),
    ("points: 1, milestones: ▸[]", "found an empty list; expected at least one item"),
    ("points: 1, milestones: [▸{share: 1}]", "expected one of `line` (a whole line) and `text`"),
    ("points: 1, milestones: [▸{line: a, text: b, share: 1}]", "expected one of `line` (a whole line) and `text`"),
    ("points: 1, milestones: [▸{line: ' ', share: 1}]", "expected a milestone that is not blank, in one line"),
    ("points: 1, milestones: [{line: a, share: ▸2}]", "found `2`; expected at most 1"),
    (
        "points: 1, milestones: [{line: a, share: 0.7}, {line: b, share: 0.4}]",
        "the milestones have the share 1.1 together; expected at most 1",
    ),
    (
        "points: 1, partial: lines, milestones: [{line: a, share: 1}]",
        "found `partial` and `milestones`; expected one of them",
    ),
    # Hints.
    ("points: 1, hint: ▸''", "found nothing; expected a non-empty line of text"),
    ("points: 1, hints: {▸txt: a}", "there is no cause `txt` that a hint could be for"),
]


@pytest.mark.parametrize(("line", "message"), TEST_SLIPS, ids=[slip[0][:50] for slip in TEST_SLIPS])
def test_a_slip_in_a_test(line: str, message: str, tmp_path: Path) -> None:
    content = file_of(line)
    column = content.splitlines()[4].find("▸") + 1 or len("  - {")
    said = problems_of(write_assignment(tmp_path, assignment=GROUPS, play=content.replace("▸", "")))
    assert f"tests/play.yaml:5:{column}: {message}" in said, said


def test_required_tests_in_a_circle_are_told_once(tmp_path: Path) -> None:
    content = file_of("points: 1, requires: [b]", "points: 0, requires: [c]", "points: 0, requires: [a]")
    said = problems_of(write_assignment(tmp_path, play=content))
    assert said == "tests/play.yaml:5:46: this test requires itself: a -> b -> c -> a"


def test_a_public_test_does_not_wait_for_a_hidden_one(tmp_path: Path) -> None:
    content = file_of("points: 1, visibility: public, requires: [b]", "points: 0", "points: 0, requires: [b]")
    said = problems_of(write_assignment(tmp_path, play=content))
    assert said == (
        "tests/play.yaml:5:66: a public test cannot require the hidden test `b`: a self-check does not run it"
    )


def test_an_unknown_test_that_a_file_requires(tmp_path: Path) -> None:
    said = problems_of(write_assignment(tmp_path, play=file_of("points: 1", head="requires: [stars]\n")))
    assert said == "tests/play.yaml:4:12: there is no test `stars`; expected one of: a"


def test_a_group_of_another_part(tmp_path: Path) -> None:
    assignment = GROUPS.replace("due:", "due:", 1).replace(
        "marks: 1}", "marks: 1}\n  - {id: other, title: Other, marks: 1}"
    )
    other = file_of("group: shuffles").replace("part: play", "part: other").replace("id: a", "id: z")
    folder = write_assignment(tmp_path, assignment=assignment, play=file_of("group: shuffles"), other=other)
    message = "tests/other.yaml:5:31: the group `shuffles` is in the part `play`, this test in `other`"
    assert problems_of(folder) == message


def test_nothing_left_to_share(tmp_path: Path) -> None:
    said = problems_of(write_assignment(tmp_path, play=file_of("points: 1", "points: equal")))
    assert said == (
        "assignment.yaml:7:39: nothing of the marks of `play` is left for the tests with `points: equal`; "
        "expected more marks, or fewer points for the others"
    )


def test_groups_must_add_up_too(tmp_path: Path) -> None:
    said = problems_of(write_assignment(tmp_path, assignment=GROUPS, play=file_of("group: shuffles", "points: 0.5")))
    assert said == (
        "assignment.yaml:7:39: the tests and groups of `play` give 1.1 points together; expected its marks, 1"
    )


def test_bonus_everywhere_and_too_low_a_highest_mark(tmp_path: Path) -> None:
    everything = ASSIGNMENT.replace("marks: 1}", "marks: 1, bonus: true}").replace("due:", "max_mark: 0.5\ndue:")
    said = problems_of(write_assignment(tmp_path, assignment=everything, play=file_of("points: 1, bonus: true")))
    assert "assignment.yaml:7:3: found only parts with `bonus`; expected at least one without" in said
    assert "tests/play.yaml:5:42: the part `play` is a bonus as a whole; leave out `bonus`" in said
    low = ASSIGNMENT.replace("due:", "max_mark: 0.5\ndue:")
    content = file_of("points: 1", "points: 1, bonus: true")
    said = problems_of(write_assignment(tmp_path / "low", assignment=low, play=content))
    assert said == "assignment.yaml:8:11: found 0.5; expected at least the full mark, 1"


def test_partial_credit_and_a_checker(tmp_path: Path) -> None:
    course = tmp_path / "course"
    (course / "checkers").mkdir(parents=True)
    (course / "checkers" / "own.py").write_text("")
    content = file_of("points: 1, checker: own, partial: lines")
    folder = write_assignment(course / "test_specs", play=content)
    with pytest.raises(SpecError, match="found `partial` and a checker, which gives a share itself"):
        load_assignment(folder, course / "reference")


def test_files_without_these_keys_mean_what_they_meant(tmp_path: Path) -> None:
    test = load(write_assignment(tmp_path, play=TESTS)).tests[0]
    assert (test.counting, test.partial, test.hints.after("text")) == (Counting(), None, ())
