"""fuzz.yaml: what is played, and clear words about what cannot be."""

from pathlib import Path

import pytest

from grader.errors import SpecError
from grader.model.interaction import Dialogue, FunctionCall, StdinRun
from grader.plugins.searching.fuzzing.fuzz_file import FuzzError, VariedDeal
from grader.plugins.searching.fuzzing.grammar import (
    OneLine,
    PlainText,
    RepeatedLines,
    RuleReference,
    TextChoice,
    text_pattern,
)
from grader.plugins.searching.fuzzing.playing.sessions import PlayedTest, RandomSession, played_test
from grader.plugins.searching.fuzzing.session_plan import FuzzPlan, read_plans
from grader.plugins.searching.fuzzing.sessions import is_left_open, own_sessions, played_together
from grader.spec.course import Course


def plans(course: Path) -> tuple[FuzzPlan, ...]:
    return read_plans(Course(course).assignment("moves"))


def played_tests(plan: FuzzPlan, sessions: list[RandomSession]) -> list[PlayedTest]:
    return [played_test(plan, some) for some in played_together(plan, sessions)]


def problem(course: Path, old: str, new: str) -> str:
    file = course / "test_specs" / "moves" / "fuzz.yaml"
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))
    with pytest.raises(SpecError) as error:
        plans(course)
    [found] = error.value.problems
    return f"{found.place.line}:{found.place.column} {found.message}"


def test_what_is_played(moves_course: Path) -> None:
    moves, _, sums = plans(moves_course)
    assert moves.grammar.lines == (RepeatedLines(RuleReference("move"), 0, 12), OneLine(PlainText("q")))
    assert is_left_open(moves, RandomSession(("clear", "add 200", "q")))
    assert not is_left_open(moves, RandomSession(("add 20", "q")))
    [one, two] = played_tests(moves, [RandomSession(("clear", "q")), RandomSession(("q",))])
    assert isinstance(one.test.interaction, Dialogue)
    assert one.test.interaction.lines == ("clear", "q")
    assert one.test.comparison == moves.templates[0].test.comparison
    assert one.test.id != two.test.id
    [read] = played_tests(sums, [RandomSession(("3", "-4"))])
    assert read.test.interaction == StdinRun(None, "3\n-4\n")


def test_calls_are_made_together(moves_course: Path) -> None:
    _, lists, _ = plans(moves_course)
    sessions = [RandomSession((f"largest([{number}])",)) for number in range(320)]
    tests = played_tests(lists, sessions)
    assert [len(one.sessions) for one in tests] == [150, 150, 20]
    assert isinstance(tests[2].test.interaction, FunctionCall)
    assert tests[2].test.interaction.calls[0] == "largest([300])"


def test_calls_that_may_change_what_others_see_are_made_alone(moves_course: Path) -> None:
    file = moves_course / "test_specs" / "moves" / "tests" / "lists.yaml"
    file.write_text(file.read_text().replace('"largest([3, 1, 2])"', '"largest(n)", variables: {n: [1]}'))
    _, lists, _ = plans(moves_course)
    tests = played_tests(lists, [RandomSession(("largest(n)",)), RandomSession(("largest(n[:1])",))])
    assert [len(one.sessions) for one in tests] == [1, 1]


def test_decks_and_seeds_vary(moves_course: Path) -> None:
    (moves_course / "reference" / "cards.py").write_text("")
    assignment = moves_course / "test_specs" / "moves" / "assignment.yaml"
    assignment.write_text(assignment.read_text() + "provided: [{file: cards.py}]\n")
    tests = moves_course / "test_specs" / "moves" / "tests" / "game.yaml"
    tests.write_text(tests.read_text().replace("id: adds,", "id: adds, deck: A♠ K♠ 3♦,"))
    file = moves_course / "test_specs" / "moves" / "fuzz.yaml"
    text = file.read_text()
    file.write_text(text.replace("test: adds", "test: adds\n    vary: deck"))
    moves = plans(moves_course)[0]
    assert moves.vary is VariedDeal.DECK
    [one, two] = played_tests(moves, [RandomSession(("q",)), RandomSession(("q",), deck="2♠ 3♠ 4♠")])
    assert (one.test.provision.deck, two.test.provision.deck) == ("A♠ K♠ 3♦", "2♠ 3♠ 4♠")
    assert len(moves.pack) == 52
    file.write_text(text.replace("test: adds", "test: adds\n    vary: deck\n    pack: A K Q"))
    assert plans(moves_course)[0].pack == ("A", "K", "Q")
    stated = text.replace("test: adds", "test: adds\n    vary: deck\n    deck: ['{ace} K♠', '3♦']")
    file.write_text(stated)
    with pytest.raises(SpecError, match="6:12: there is no rule `ace`"):
        plans(moves_course)
    file.write_text(stated.replace("rules:", "rules:\n      ace: '{A♠|A♥}'", 1))
    assert plans(moves_course)[0].grammar.deck == TextChoice((text_pattern("{ace} K♠"), PlainText("3♦")))
    file.write_text(text.replace("test: adds", "test: adds\n    vary: random_seed"))
    [one] = played_tests(plans(moves_course)[0], [RandomSession(("q",), random_seed=4)])
    assert one.test.provision.random_seed == 4
    assert one.test.provision.deck == "A♠ K♠ 3♦"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("test: adds", "test: add", "4:11 there is no test `add`; did you mean `adds`?"),
        ("test: adds", "test: largest", "4:11 `largest` calls a function; expected `call` here"),
        ("test: adds", "test: [adds, sums]", "4:11 `sums` is of another program or another kind than `adds`"),
        ("test: adds", "test: [adds, ad]", "4:11 there is no test `ad`"),
        ("test: largest", "test: adds", "11:11 `adds` types lines; expected `input` here"),
        ("test: adds", "test: adds\n    pack: A K", "3:5 found `pack`, which is for `vary: deck`"),
        ("test: adds", "test: adds\n    deck: A K", "3:5 found `deck`, which is for `vary: deck` without `pack`"),
        (
            "test: adds",
            "test: adds\n    vary: deck\n    pack: A K\n    deck: A K",
            "3:5 found `deck`, which is for `vary: deck` without `pack`",
        ),
        ("times: 0..5}]", "times: 0..5}]\n    arguments: x", "15:5 expected `generator` and `arguments` together"),
        ("test: adds", "test: adds\n    vary: deck", "5:11 `deck` is for `provided` modules, and assignment.yaml"),
        ('repeat: "{move}"', 'repeat: "{mov}{move}"', "8:18 there is no rule `mov`; did you mean `move`?"),
        ("{0..200}", "{200..0}", "6:21 found `{200..0}`; expected the smaller number first"),
        ("clear,", "clear, '{',", "6:21 found a single `{` in `{`"),
        ("times: 0..12", "times: 12..0", "8:35 found `12..0`; expected a number up to 1000, or a range such as 0..6"),
        ("times: 0..12", "times: 0..1001", "8:35 found `0..1001`; expected a number up to 1000"),
        ("times: 0..12", "times: 1, between: x", "8:47 found `between`, but here each repetition is a line"),
        ("id: random-sums", "id: random-moves", "15:9 `random-moves` is given twice"),
        ("    rules:\n      move:", "    rules:\n      other: x\n      move:", "6:7 the rule `other` is used nowhere"),
        ("'^add 200$'", "'('", "19:13 found `(`; expected a regular expression"),
        ("call: ", "input: [x]\n    call: ", "10:5 expected one of `input`, for what is typed or read, `call`, for a"),
    ],
)
def test_what_cannot_be_played(moves_course: Path, old: str, new: str, said: str) -> None:
    assert problem(moves_course, old, new).startswith(said)


def test_a_rule_that_never_ends(moves_course: Path) -> None:
    said = problem(moves_course, 'move: [clear, "add {0..200}", "{hm|add}", q]', "move: x{move}")
    assert said == "6:13 the rule `move` has no end: expected a choice in which it does not come upon itself"


def test_tests_with_checks_of_their_own(moves_course: Path) -> None:
    tests = moves_course / "test_specs" / "moves" / "tests" / "game.yaml"
    tests.write_text(
        tests.read_text().replace("compare: {ignore: [trailing-whitespace]}", "expect: [{contains: total}]")
    )
    assert problem(moves_course, "format: 1", "format: 1 ").startswith(
        "4:11 `adds` has `expect`, which is about its own"
    )


def test_there_is_no_file_or_no_reference(moves_course: Path) -> None:
    (moves_course / "reference" / "game.py").rename(moves_course / "game.py")
    with pytest.raises(FuzzError, match=r"game\.py is missing: there is nothing to compare submissions with"):
        plans(moves_course)
    (moves_course / "test_specs" / "moves" / "fuzz.yaml").unlink()
    with pytest.raises(FuzzError, match="it says which sessions to play"):
        plans(moves_course)


def test_what_a_generator_prints_is_read(moves_course: Path) -> None:
    file = moves_course / "test_specs" / "moves" / "fuzz.yaml"
    entry = "format: 1\nsessions:\n  - {id: made, test: sums, generator: make.py, arguments: '{1..3} {a|b}'}\n"
    file.write_text(entry)
    with pytest.raises(SpecError, match=r"there is no .*make\.py; expected the name of a Python program beside"):
        plans(moves_course)
    generator = moves_course / "reference" / "make.py"
    generator.write_text("import sys\nprint(int(sys.argv[1]) * 2, end=sys.argv[2])\n")
    [made] = plans(moves_course)
    [one] = played_tests(made, [RandomSession(("3 b",))])
    assert one.test.interaction == StdinRun(None, "6b")
    with pytest.raises(FuzzError, match=r"does not work: make\.py x b ended with exit status 1\. ValueError: "):
        played_test(made, (RandomSession(("x b",)),))


def test_a_session_that_a_test_plays_is_known(moves_course: Path) -> None:
    moves, lists, sums = plans(moves_course)
    assert own_sessions(moves) == (RandomSession(("add 3", "clear", "add 2", "hm", "q")),)
    assert own_sessions(lists) == ()
    assert own_sessions(sums) == (RandomSession(("1", "2")),)
