"""Interactors in tests files: what is read, and what is said of slips."""

from pathlib import Path

import pytest

from grader.errors import SpecError
from grader.plugins.interactors.interaction import InteractorRun
from grader.plugins.interactors.settings import Channel
from grader.spec.course import Course

ASSIGNMENT = """\
format: 1
id: demo
title: Demo
programs: [{file: game.py}]
parts: [{id: play, title: Play, marks: 1}]
due: 2025-10-27 11:59
time_zone: Australia/Sydney
"""


def course(folder: Path, test: str, head: str = "points: 1") -> Course:
    demo = folder / "test_specs" / "demo"
    (demo / "tests").mkdir(parents=True)
    (demo / "assignment.yaml").write_text(ASSIGNMENT)
    tests = f"format: 1\nprogram: game.py\npart: play\n{head}\ntests:\n  - {{{test}}}\n"
    (demo / "tests" / "play.yaml").write_text(tests)
    for name in ("interactors/rook.py", "interactors/bishop.py", "checkers/own.py"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("")
    return Course(folder)


def runs(one: Course) -> list[InteractorRun]:
    found = [test.interaction for test in one.assignment("demo").tests]
    return [run for run in found if isinstance(run, InteractorRun)]


def test_what_is_read(tmp_path: Path) -> None:
    text = "id: a, interactor: rook, interactor_options: {level: 3, side: white}, interactor_seed: 7, through: pipes"
    [run] = runs(course(tmp_path, text))
    assert run.channel is Channel.PIPES
    settings = run.interactor
    assert (settings.name, settings.file, settings.seed) == ("rook", tmp_path / "interactors" / "rook.py", "7")
    assert settings.options == (("level", "3"), ("side", "white"))


def test_what_is_meant_without_more(tmp_path: Path) -> None:
    [run] = runs(course(tmp_path, "id: a, interactor: rook"))
    assert (run.channel, run.interactor.seed, run.interactor.options) == (Channel.TERMINAL, run.interactor.content, ())


def test_the_seed_of_a_public_test_tells_nothing_of_other_files(tmp_path: Path) -> None:
    one = course(tmp_path, "id: a, visibility: public, interactor: rook")
    [before] = runs(one)
    (tmp_path / "interactors" / "bishop.py").write_text("# of a hidden test")
    [after] = runs(one)
    assert after.interactor.seed == before.interactor.seed
    assert after.interactor.content != before.interactor.content
    (tmp_path / "interactors" / "rook.py").write_text("# changed")
    [changed] = runs(one)
    assert changed.interactor.seed not in (before.interactor.seed, changed.interactor.content)


def test_loops_fill_in_seeds_and_options(tmp_path: Path) -> None:
    text = "id: a-$n, for: {n: [1, 2]}, interactor: rook, interactor_seed: $n, interactor_options: {level: n$n}"
    found = runs(course(tmp_path, text, head="points: 0.5"))
    assert [(run.interactor.seed, run.interactor.options) for run in found] == [
        ("1", (("level", "n1"),)),
        ("2", (("level", "n2"),)),
    ]


def test_the_default_checker_of_a_file_is_for_the_other_tests(tmp_path: Path) -> None:
    [test] = course(tmp_path, "id: a, interactor: rook", head="points: 1\nchecker: own").assignment("demo").tests
    assert test.checker is None


def test_partial_credit_of_a_file_is_for_the_other_tests(tmp_path: Path) -> None:
    [test] = course(tmp_path, "id: a, interactor: rook", head="points: 1\npartial: lines").assignment("demo").tests
    assert test.partial is None


def test_a_file_beside_an_interactor_is_part_of_what_it_does(tmp_path: Path) -> None:
    one = course(tmp_path, "id: a, interactor: rook")
    [before] = runs(one)
    (tmp_path / "interactors" / "openings").mkdir()
    (tmp_path / "interactors" / "openings" / "list.txt").write_text("e4 e5")
    [after] = runs(one)
    assert before != after


@pytest.mark.parametrize(
    ("test", "said"),
    [
        ("interactor: rok", "there is no interactor `rok`; did you mean `rook`?"),
        ("interactor: ../x", "found `../x`; expected lowercase letters, digits and `_`"),
        ("interactor: rook, input: [1]", "found `input` and `interactor` here; expected one of: `input` "),
        ("interactor: rook, call: f()", "found `call` and `interactor`; expected one of them"),
        ("interactor: rook, checker: own", "found `checker` beside `interactor`, which judges what it sees"),
        (
            "interactor: rook, compare: {ignore: [case]}",
            "found `compare` beside `interactor`, which judges",
        ),
        ("interactor: rook, expected: won", "found `expected` beside `interactor`, which judges what it sees"),
        ("interactor: rook, expected_file: a.txt", "found `expected_file` beside `interactor`, which judges"),
        ("interactor: rook, expect: [{contains: won}]", "found `expect` beside `interactor`, which judges"),
        ("interactor: rook, compare_stderr: true", "found `compare_stderr` beside `interactor`, which judges"),
        ("interactor: rook, written_files: [a.csv]", "found `written_files` beside `interactor`, which judges"),
        ("interactor: rook, asks_again: true", "found `asks_again` beside `interactor`, which judges"),
        ("interactor: rook, partial: lines", "found `partial` beside `interactor`, which gives a share itself"),
        (
            "interactor: rook, milestones: [{text: won, share: 1}]",
            "found `milestones` beside `interactor`, which gives a share itself",
        ),
        ("interactor: rook, stdin_text: a", "found `stdin_text` and `interactor` here; expected one of: `input` "),
        ("interactor: rook, calls: [f()]", "found `calls` and `interactor`; expected one of them"),
        ("interactor: rook, echo: false", "found `echo` beside `interactor`, which never sees what it types"),
        ("interactor: rook, visibility: public, sealed: true", "a test with an interactor cannot be sealed"),
        ("interactor: rook, through: rope", "found `rope`; expected"),
        ("interactor: rook, interactor_options: {x: $y}, for: {n: [1]}", "`$y` is not in `for`"),
        ("interactor: rook, interactor_seed: $y, for: {n: [1]}", "`$y` is not in `for`"),
        ("input: [1], interactor_seed: 3", "found `interactor_seed` without `interactor`, which it is for"),
        ("input: [1], through: pipes", "found `through` without `interactor`, which it is for"),
    ],
)
def test_slips(test: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError) as error:
        course(tmp_path, f"id: a, {test}").assignment("demo")
    assert "test_specs/demo/tests/play.yaml:6:" in str(error.value)
    assert said in str(error.value)


def test_a_link_beside_an_interactor(tmp_path: Path) -> None:
    one = course(tmp_path, "id: a, interactor: rook")
    (tmp_path / "interactors" / "linked.py").symlink_to(tmp_path / "checkers" / "own.py")
    with pytest.raises(SpecError, match=r"found the link .*linked\.py beside the interactor `rook`; expected a file"):
        one.assignment("demo")
