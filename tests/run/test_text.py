"""All that is typed or printed arrives whole and as it is: long lines, cards, control characters, stray bytes."""

import hashlib

import pytest

from grader.model.outcome import Termination, TypedLine
from tests.run.conftest import Session

SHOW = "print(ascii(input('? ')))\n"
DIGEST = """
    import hashlib, sys
    print(hashlib.sha256(sys.stdin.readline().encode('utf-8', 'surrogateescape')).hexdigest(), input())
    """
CARDS = "".join(chr(0x1F0A1 + n) for n in range(14))


@pytest.mark.parametrize("character", [*map(chr, range(1, 32)), "\x7f", "\x00", "\x85", "\udcff", "\x16\x04\x16\x04"])
def test_typed_control_characters_are_text(session: Session, character: str) -> None:
    if character == "\n":
        return
    source = "import os\nos.write(1, ascii(os.read(0, 100)).encode() + b'\\n')\n" * 2
    line = f"a{character}b"

    outcome = session(source, [line, "next"])

    read = ascii((line + "\n").encode("utf-8", "surrogateescape"))
    assert outcome.transcript == f"{line}\n{read}\nnext\nb'next\\n'\n"
    assert outcome.typed[0] == TypedLine(0, line)
    assert outcome.ending is Termination.EXITED


@pytest.mark.parametrize("length", [799, 800, 801, 1023, 1024, 4094, 4095, 4096, 4097, 8192, 100_000])
def test_long_lines_arrive_whole(session: Session, length: int) -> None:
    line = "".join(str(n % 10) for n in range(length))

    outcome = session(DIGEST, [line, "next"])

    digest = hashlib.sha256(f"{line}\n".encode()).hexdigest()
    assert outcome.transcript == f"{line}\nnext\n{digest} next\n"
    assert outcome.typed == (TypedLine(0, line), TypedLine(length + 1, "next"))


def test_a_long_line_of_cards_and_control_characters_arrives_whole(session: Session) -> None:
    line = (CARDS + "\x03\x04\x15\x16\t") * 300

    outcome = session(DIGEST, [line, "next"])

    digest = hashlib.sha256(f"{line}\n".encode()).hexdigest()
    assert outcome.transcript == f"{line}\nnext\n{digest} next\n"


@pytest.mark.parametrize("line", ["x" * 3999, CARDS * 70])
def test_a_line_that_the_kernel_keeps_is_read_at_once(session: Session, line: str) -> None:
    size = len(f"{line}\n".encode())
    assert size <= 4000
    outcome = session("import os; print(len(os.read(0, 100_000)))", [line], echo=False)
    assert outcome.transcript == f"{size}\n"


def test_a_long_line_read_byte_by_byte(session: Session) -> None:
    line = "ab" * 3000
    source = """
        import os
        read = b''
        while not read.endswith(b'\\n'):
            read += os.read(0, 1) or b'!'
        print(len(read), set(read))
        """

    assert session(source, [line], echo=False).transcript == f"6001 {set(b'ab' + bytes([10]))}\n"


def test_a_long_line_without_line_editing_by_the_kernel(session: Session) -> None:
    line = "".join(str(n % 10) for n in range(6000))

    outcome = session(f"import readline\nprint(input('? ') == {line!r})\n", [line])

    assert outcome.transcript == f"? {line}\nTrue\n"


def test_a_program_that_stops_in_the_middle_of_a_long_line(session: Session) -> None:
    outcome = session("import os; os.read(0, 500); print('enough')", ["x" * 5000, "unsent"])

    assert outcome.transcript == "x" * 800 + "enough\n"
    assert (outcome.unsent, outcome.exit_code) == (1, 0)


def test_playing_cards_are_never_cut(session: Session) -> None:
    outcome = session(f"for n in range(3000): print({CARDS!r} * (n % 5))\nprint(input('? '))", [CARDS])

    cards = "".join(CARDS * (n % 5) + "\n" for n in range(3000))
    assert outcome.transcript == f"{cards}? {CARDS}\n{CARDS}\n"
    assert outcome.typed == (TypedLine(len(cards) + 2, CARDS),)


def test_bytes_that_are_no_text_are_kept(session: Session) -> None:
    everything = bytes(range(256))

    outcome = session(f"import sys; sys.stdout.buffer.write({everything!r} * 30)")

    assert outcome.transcript.encode("utf-8", "surrogateescape") == everything * 30


def test_half_a_character_before_the_echo_does_not_swallow_it(session: Session) -> None:
    outcome = session(
        "import os; os.write(1, b'\\xf0\\x9f'); os.write(1, os.read(0, 9)); os.write(1, b'\\xf0')", ["ab"]
    )

    assert outcome.transcript == "\udcf0\udc9fab\nab\n\udcf0"
    assert outcome.typed == (TypedLine(2, "ab"),)


def test_a_huge_single_line_is_not_wrapped(session: Session) -> None:
    outcome = session("print('x' * 300_000, end='')")

    assert outcome.transcript == "x" * 300_000


def test_line_ends_are_as_printed(session: Session) -> None:
    assert session("print('a\\r\\nb\\rc\\td')").transcript == "a\r\nb\rc\td\n"


def test_no_printed_character_stops_the_output(session: Session) -> None:
    assert session(SHOW + "print('\\x13more')", ["\x13 and \x11"]).transcript == (
        "? \x13 and \x11\n'\\x13 and \\x11'\n\x13more\n"
    )


def test_a_thousand_lines_stay_in_order(session: Session) -> None:
    lines = [str(n) for n in range(1000)]

    outcome = session("for n in range(1000): print(int(input(f'{n}? ')) + 1)", lines)

    assert outcome.transcript == "".join(f"{n}? {n}\n{n + 1}\n" for n in range(1000))
