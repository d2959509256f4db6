"""A key changes with everything that reaches the program, and with nothing else."""

from dataclasses import fields, replace
from decimal import Decimal
from pathlib import Path

import pytest

from grader.files.digest import digest
from grader.model.assignment import Isolation
from grader.model.ending import ExitsBetween
from grader.model.interaction import CallCheck, Dialogue, FunctionCall, Interaction, ReplSession, StdinRun
from grader.model.program import BuildCommands, Limits, StartSettings
from grader.model.test import Test, Visibility
from grader.plugins.interactors.interaction import InteractorRun
from grader.plugins.interactors.settings import Channel, InteractorSettings
from grader.plugins.locating.line_record import LineWatch
from grader.plugins.own_tests.interaction import OwnTests, TrialProgram
from grader.spec.course import Course
from grader.spec.languages import BUILD_LIMITS
from grader.store.outcome_key import AFTER_OWNER, JUDGED_ONLY, FileContent, KeyMaker, owner
from grader.store.provenance import harness_identity, installed_packages
from tests import ROOT
from tests.reports.graded_example import GAME

PLAIN = Isolation.FRESH_PROCESS
FILES = [FileContent("double.py", "1"), FileContent("triple.py", "2")]


DEALER = InteractorSettings(name="dealer", file=Path("dealer.py"), content="1")
PLAYED = [
    InteractorRun(DEALER),
    InteractorRun(DEALER, Channel.PIPES),
    *(
        InteractorRun(other)
        for other in (
            replace(DEALER, name="banker"),
            replace(DEALER, content="2"),
            replace(DEALER, options=(("level", "3"),)),
            replace(DEALER, seed="1"),
        )
    ),
]


def outcome_key(harness: str, files: list[FileContent], test: Test, limits: Limits, isolation: Isolation) -> str:
    return KeyMaker().keys(harness, files, [test], limits)[test.id, isolation]


def key(test: Test = GAME) -> str:
    return outcome_key("harness", FILES, test, Limits(), PLAIN)


@pytest.mark.parametrize(
    "test",
    [
        replace(GAME, program="triple.py"),
        replace(GAME, interaction=ReplSession(("4",))),
        replace(GAME, interaction=Dialogue(())),
        replace(GAME, interaction=Dialogue(("4", ""))),
        replace(GAME, interaction=Dialogue(("4 ",))),
        replace(GAME, interaction=Dialogue(("4",), echo=False)),
        replace(GAME, interaction=StdinRun("in.txt", "4\n")),
        replace(
            GAME,
            interaction=FunctionCall(
                calls=("f()",), variables={}, setup=(), checks=frozenset(), cards=None, lines=("4",)
            ),
        ),
        *(replace(GAME, interaction=run) for run in PLAYED),
        replace(GAME, recipe=BuildCommands(build=None, run=("./double",), limits=BUILD_LIMITS)),
        replace(GAME, start=StartSettings(watch=LineWatch(("double.py",)))),
    ],
)
def test_what_the_program_meets(test: Test) -> None:
    assert key(test) != key()


def test_all_that_an_interactor_goes_by_makes_a_difference_and_its_place_none() -> None:
    assert len({key(replace(GAME, interaction=run)) for run in PLAYED}) == len(PLAYED)
    moved = InteractorRun(replace(DEALER, file=Path("/elsewhere/dealer.py")))
    assert key(replace(GAME, interaction=moved)) == key(replace(GAME, interaction=PLAYED[0]))


def test_every_call_and_every_program_for_own_tests_reaches_the_program() -> None:
    calls = FunctionCall(calls=("f()", "g()"), variables={}, setup=(), checks=frozenset(), cards=None)
    right, wrong = TrialProgram("a.py", "x = 1\n"), TrialProgram("b.py", "x = 2\n")
    interactions: list[Interaction] = [
        calls,
        replace(calls, calls=("f()",)),
        replace(calls, checks=frozenset({CallCheck.STATE})),
        OwnTests("m.py", (right,)),
        OwnTests("n.py", (right,)),
        OwnTests("m.py", (right,), wrong),
        OwnTests("m.py", (right, wrong)),
        OwnTests("m.py", (replace(right, text="x = 3\n"),)),
    ]
    assert len({key(replace(GAME, interaction=one)) for one in interactions}) == len(interactions)


def test_what_only_the_judge_looks_at() -> None:
    other = replace(
        GAME, id="x", title="x", part="x", visibility=Visibility.HIDDEN, points=Decimal(9), ending=ExitsBetween(3, 3)
    )
    assert key(other) == key()


def test_fields_that_the_session_knows_nothing_of_exist() -> None:
    assert {field.name for field in fields(Test)} >= JUDGED_ONLY


@pytest.mark.parametrize("name", Course(ROOT).assignment_ids())
def test_every_shipped_test_has_a_key_of_its_session(name: str) -> None:
    assignment = Course(ROOT).assignment(name)
    keys = [outcome_key("harness", FILES, test, assignment.limits, PLAIN) for test in assignment.tests]
    assert all(keys)


def test_a_set_is_the_same_in_any_order() -> None:
    assert digest(frozenset("abc")) == digest(frozenset("cba")) != digest(frozenset("abd"))


def test_files_limits_and_harness() -> None:
    keys = {
        key(),
        outcome_key("harness", FILES, GAME, Limits(), Isolation.FORK),
        outcome_key("other", FILES, GAME, Limits(), PLAIN),
        outcome_key("harness", FILES[:1], GAME, Limits(), PLAIN),
        outcome_key("harness", [FILES[0], FileContent("triple.py", "1")], GAME, Limits(), PLAIN),
        outcome_key("harness", [FileContent("a.py", "1"), FILES[1]], GAME, Limits(), PLAIN),
        *(outcome_key("harness", FILES, GAME, replace(Limits(), **{field.name: 7}), PLAIN) for field in fields(Limits)),
    }
    assert len(keys) == 6 + len(fields(Limits))


def test_the_order_in_which_files_were_found_is_nothing() -> None:
    assert outcome_key("harness", FILES[::-1], GAME, Limits(), PLAIN) == key()


def test_the_harness_is_known_by_its_settings_too() -> None:
    assert harness_identity() == harness_identity() != harness_identity("no sandbox")


def test_installed_packages() -> None:
    assert any(name.startswith("pexpect-") for name in installed_packages())


def test_a_key_is_the_same_whatever_was_asked_before() -> None:
    maker = KeyMaker()
    other = replace(GAME, program="triple.py")
    for test in (GAME, other, GAME):
        for harness, files in (("harness", FILES), ("other", FILES[:1])):
            assert maker.keys(harness, files, [test], Limits()) == KeyMaker().keys(harness, files, [test], Limits())


def test_a_key_is_the_digest_of_a_list() -> None:
    session = {field.name: getattr(GAME, field.name) for field in fields(GAME) if field.name not in JUDGED_ONLY}
    session |= {
        "kind": "Dialogue",
        "errors_apart": False,
        "asks_again": False,
        "language": None,
        "plugin": None,
        "watch": None,
    }
    files = [(file.name, file.digest) for file in FILES]
    assert key() == f"{digest(files)[:16]}-{digest(['harness', files, session, Limits(), PLAIN])}"


def test_a_key_begins_with_the_submission_without_what_is_provided() -> None:
    test = replace(GAME, provided=("triple.py",))
    submission = digest([("double.py", "1")])
    assert key(test).startswith(owner(submission) + AFTER_OWNER)
    assert not key().startswith(owner(submission))
