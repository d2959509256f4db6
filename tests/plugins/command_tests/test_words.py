"""The programs that a line of a shell names are read from it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.plugins.command_tests.words import not_installed, programs_of


@pytest.mark.parametrize(
    ("line", "programs"),
    [
        ("pytest -q tests", ["pytest"]),
        ("cd tests && pytest -q; make test | tee log", ["pytest", "make", "tee"]),
        ("MODE=fast ./run.sh > out 2>&1", ["./run.sh"]),
        ("> out sort < in", ["sort"]),
        ("if ! diff a b; then exit 1; fi", ["diff"]),
        ("(make) || echo failed", ["make"]),
        ("gcc -o a a.c\n./a 'a; b'", ["gcc", "./a"]),
        ('"$TOOL" x; exit $?', []),
        ("echo 'not closed", []),
    ],
)
def test_the_first_words_of_commands_are_programs(line: str, programs: list[str]) -> None:
    assert list(programs_of(line)) == programs


@given(st.text(max_size=40))
def test_any_line_can_be_read(line: str) -> None:
    assert all(name for name in programs_of(line))


def test_what_the_shell_has_and_files_beside_the_program_need_not_be_installed() -> None:
    assert not_installed(("sh", "python", "./run.sh", "/bin/sh")) is None
    assert not_installed(("sh", "no-such-program", "other")) == "no-such-program"
    assert not_installed(("/no/such/program",)) == "/no/such/program"
