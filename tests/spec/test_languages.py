"""The usual commands of languages, by the names of files."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.expectation import GivenTranscript
from grader.model.program import (
    AlternativeFile,
    BuildCommands,
    ErrorFinder,
    LanguageBuild,
    NotWatched,
    Sanitized,
    Sanitizer,
    UnderValgrind,
)
from grader.model.test import Test
from grader.spec.languages import BUILD_LIMITS
from tests.building import call_of
from tests.spec.spec_folder import ASSIGNMENT, TESTS, load, problems_of, write_assignment

USUAL = [
    ("game.c", "gcc -o game game.c -lm", "./game"),
    ("game.cpp", "g++ -o game game.cpp -lm", "./game"),
    ("Game.java", "javac Game.java", "java -XX:+UseSerialGC Game"),
    ("game.js", None, "node game.js"),
    ("game.mjs", None, "node game.mjs"),
    ("game.rs", "rustc -o game game.rs", "./game"),
]


def commands(build: str | None, run: str, finder: ErrorFinder = NotWatched()) -> BuildCommands:
    return BuildCommands(
        build=tuple(build.split()) if build else None, run=tuple(run.split()), limits=BUILD_LIMITS, finder=finder
    )


def without_language(test: Test) -> BuildCommands | None:
    return test.recipe and replace(test.recipe, language=None)


def in_language(tmp_path: Path, file: str, more: str = "") -> Path:
    return write_assignment(
        tmp_path,
        assignment=ASSIGNMENT.replace("file: game.py", f"{{file: {file}{more}}}"),
        play=TESTS.replace("game.py", file),
    )


@pytest.mark.parametrize(("file", "build", "run"), USUAL, ids=[usual[0] for usual in USUAL])
def test_a_program_without_commands(file: str, build: str | None, run: str, tmp_path: Path) -> None:
    (test,) = load(in_language(tmp_path, file)).tests
    assert without_language(test) == commands(build, run)


def test_limits_of_builds_hold_for_the_usual_commands(tmp_path: Path) -> None:
    folder = in_language(tmp_path, "game.c")
    with (folder / "assignment.yaml").open("a") as file:
        file.write("build_limits: {wall_seconds: 5}\n")
    (test,) = load(folder).tests
    assert test.recipe is not None
    assert test.recipe.limits == replace(BUILD_LIMITS, wall_seconds=5)


def test_an_alternative_without_commands(tmp_path: Path) -> None:
    (program,) = load(in_language(tmp_path, "game.py", ", alternatives: [{file: game.rs}]")).programs
    language = LanguageBuild(place="grader.plugins.native.rust:Rust", file="game.rs")
    usual = replace(commands("rustc -o game game.rs", "./game"), language=language)
    assert program.alternatives == (AlternativeFile("game.rs", usual),)


BOTH = (Sanitizer.ADDRESS, Sanitizer.UNDEFINED)


@pytest.mark.parametrize(
    ("settings", "build", "finder"),
    [
        ("{flags: [-Wall, -std=c17]}", "gcc -o game game.c -Wall -std=c17 -lm", NotWatched()),
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
    assert without_language(test) == commands(build, "./game", finder)


def test_what_calls_are_built_with(tmp_path: Path) -> None:
    (test,) = load(in_language(tmp_path, "game.cc", ", build: {flags: [-O2], sanitizers: [address]}")).tests
    assert test.recipe is not None
    flags = ("-O2", "-g", "-fno-omit-frame-pointer", "-fsanitize=address")
    place = "grader.plugins.native.cpp:CPlusPlus"
    assert test.recipe.language == LanguageBuild(place=place, file="game.cc", flags=flags)


CALL = "call: f(1)"


@pytest.mark.parametrize(
    ("file", "program", "test", "said"),
    [
        (
            "game.js",
            "",
            CALL,
            "`game.js` is run by `node game.js`; only functions of Python, or of C, C++ or Java built",
        ),
        (
            "game.c",
            ", build: [make], run: [./game]",
            CALL,
            "`game.c` is run by `./game`; only functions of Python, or of",
        ),
        ("game.py", ", alternatives: [{file: game.c}]", CALL, "all files of the program in the same language"),
        ("game.c", ", alternatives: [{file: game.cpp}]", CALL, "all files of the program in the same language"),
        ("game.c", ", reference: game.py", CALL, "found the reference `game.py`; expected one in C, as the calls are"),
        ("game.cpp", "", "calls: [f(a), a], variables: {a: 1}", "expected declarations in C++, in `setup` or `calls`"),
        ("Game.java", "", f"{CALL}, checks: [return_value, state]", "found `state`, which objects of Python have"),
        ("game.c", "", f"{CALL}, raises: Overflow", "found an exception, which C does not have; expected a value"),
        (
            "game.c",
            "",
            f"{CALL}, checks: [exception_type]",
            "found an exception, which C does not have; expected a value",
        ),
    ],
)
def test_what_calls_of_another_language_cannot_have(
    file: str, program: str, test: str, said: str, tmp_path: Path
) -> None:
    folder = in_language(tmp_path, file, program)
    play = folder / "tests" / "play.yaml"
    play.write_text(play.read_text().replace("input: [1]", test))
    assert said in problems_of(folder)


def test_calls_in_another_language_are_not_read_as_python(tmp_path: Path) -> None:
    folder = in_language(tmp_path, "game.cpp", ", alternatives: [{file: game.cc}]")
    play = folder / "tests" / "play.yaml"
    calls = "calls: ['Stack<int> s;', s.push(3), 's.top();', '*s.find(3)']"
    play.write_text(play.read_text().replace("input: [1]", calls))
    (test,) = load(folder).tests
    assert call_of(test).calls == ("Stack<int> s;", "s.push(3)", "s.top();", "*s.find(3)")


@pytest.mark.parametrize(
    ("file", "stated", "kept"),
    [
        ("Game.java", "Exception", ".Exception"),
        ("game.cpp", "std::out_of_range", ".std::out_of_range"),
        ("Game.java", "java.io.IOException", "java.io.IOException"),
        ("game.py", "Exception", "Exception"),
    ],
)
def test_the_class_of_an_exception(file: str, stated: str, kept: str, tmp_path: Path) -> None:
    folder = in_language(tmp_path, file)
    play = folder / "tests" / "play.yaml"
    play.write_text(play.read_text().replace("input: [1]", f'call: f(1), raises: "{stated}"'))
    (test,) = load(folder).tests
    assert isinstance(test.expectation, GivenTranscript)
    assert f'{{"type": "{kept}", ' in test.expectation.text


def test_a_language_is_not_called_like_python(tmp_path: Path) -> None:
    folder = in_language(tmp_path, "game.rs")
    play = folder / "tests" / "play.yaml"
    play.write_text(play.read_text().replace("input: [1]", "repl: [1]"))
    assert "`game.rs` is run by `./game`; only Python has a prompt" in problems_of(folder)
