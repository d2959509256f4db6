"""The usual commands of languages, by the names of files."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.program import (
    BUILD_LIMITS,
    NOT_WATCHED,
    AlternativeFile,
    BuildCommands,
    ErrorFinder,
    Sanitized,
    Sanitizer,
    UnderValgrind,
)
from tests.spec.spec_folder import ASSIGNMENT, TESTS, load, problems_of, write_assignment

USUAL = [
    ("game.c", "gcc -o game game.c -lm", "./game"),
    ("game.cpp", "g++ -o game game.cpp -lm", "./game"),
    ("Game.java", "javac Game.java", "java -XX:+UseSerialGC Game"),
    ("game.js", None, "node game.js"),
    ("game.mjs", None, "node game.mjs"),
    ("game.rs", "rustc -o game game.rs", "./game"),
]


def commands(build: str | None, run: str, finder: ErrorFinder = NOT_WATCHED) -> BuildCommands:
    return BuildCommands(
        build=tuple(build.split()) if build else None, run=tuple(run.split()), limits=BUILD_LIMITS, finder=finder
    )


def in_language(tmp_path: Path, file: str, more: str = "") -> Path:
    return write_assignment(
        tmp_path,
        assignment=ASSIGNMENT.replace("file: game.py", f"{{file: {file}{more}}}"),
        play=TESTS.replace("game.py", file),
    )


@pytest.mark.parametrize(("file", "build", "run"), USUAL, ids=[usual[0] for usual in USUAL])
def test_a_program_without_commands(file: str, build: str | None, run: str, tmp_path: Path) -> None:
    (test,) = load(in_language(tmp_path, file)).tests
    assert test.recipe == commands(build, run)


def test_limits_of_builds_hold_for_the_usual_commands(tmp_path: Path) -> None:
    folder = in_language(tmp_path, "game.c")
    with (folder / "assignment.yaml").open("a") as file:
        file.write("build_limits: {wall_seconds: 5}\n")
    (test,) = load(folder).tests
    assert test.recipe is not None
    assert test.recipe.limits == replace(BUILD_LIMITS, wall_seconds=5)


def test_an_alternative_without_commands(tmp_path: Path) -> None:
    (program,) = load(in_language(tmp_path, "game.py", ", alternatives: [{file: game.rs}]")).programs
    assert program.alternatives == (AlternativeFile("game.rs", commands("rustc -o game game.rs", "./game")),)


BOTH = (Sanitizer.ADDRESS, Sanitizer.UNDEFINED)


@pytest.mark.parametrize(
    ("settings", "build", "finder"),
    [
        ("{flags: [-Wall, -std=c17]}", "gcc -o game game.c -Wall -std=c17 -lm", NOT_WATCHED),
        (
            "{flags: [-Wall], sanitizers: [address, undefined]}",
            "gcc -o game game.c -Wall -g -fno-omit-frame-pointer -fsanitize=address,undefined -lm",
            Sanitized(BOTH, leaks=True),
        ),
        ("{valgrind: true, leaks: false}", "gcc -o game game.c -g -lm", UnderValgrind(leaks=False)),
    ],
)
def test_settings_of_a_build(settings: str, build: str, finder: ErrorFinder, tmp_path: Path) -> None:
    (test,) = load(in_language(tmp_path, "game.c", f", build: {settings}")).tests
    assert test.recipe == commands(build, "./game", finder)


def test_a_language_is_not_called_like_python(tmp_path: Path) -> None:
    folder = in_language(tmp_path, "game.rs")
    play = folder / "tests" / "play.yaml"
    play.write_text(play.read_text().replace("input: [1]", "repl: [1]"))
    assert "`game.rs` is run by `./game`; only Python has a prompt" in problems_of(folder)
