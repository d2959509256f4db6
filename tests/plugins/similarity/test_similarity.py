"""Copies are found after renaming, moving and commenting; independent programs are not."""

import random
import subprocess
import sys
from itertools import islice

import pytest

from benchmarks.similar import KINDS, iter_functions, iter_programs
from grader.plugins.similarity.fingerprints import ProgramSource, SimilarError, similar_pairs

PROGRAMS = iter_programs(list(islice(iter_functions(), 80)), random.Random(3))
FIRST, SECOND, THIRD, FOURTH = (next(PROGRAMS) for _ in range(4))


def pairs(*sources: ProgramSource, base: str = "", least: float = 0.6, common: int = 10) -> list[tuple[str, str]]:
    found = similar_pairs(sources, [("base.py", base)], least=least, common=common)
    return [pair.names[:2] for pair in found]


@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_is_found(kind: str) -> None:
    copy = KINDS[kind](FIRST, random.Random(1))
    found = pairs(
        ProgramSource("a", "game.py", FIRST), ProgramSource("b", "game.py", SECOND), ProgramSource("c", "game.py", copy)
    )
    assert found == [("a", "c")]


def test_what_everybody_was_given_does_not_count() -> None:
    sources = ProgramSource("a", "game.py", f"{FIRST}\n{SECOND}"), ProgramSource("b", "game.py", f"{FIRST}\n{THIRD}")
    assert pairs(*sources, least=0.2) == [("a", "b")]
    assert pairs(*sources, least=0.2, base=FIRST) == []


def test_what_stands_in_many_programs_does_not_count() -> None:
    sources = [ProgramSource(str(number), "game.py", FIRST) for number in range(4)]
    assert len(pairs(*sources, common=4)) == 6
    assert pairs(*sources, common=3) == []


def test_what_one_student_hands_in_many_times_counts() -> None:
    copies = [ProgramSource("a", f"helper_{number}.py", FIRST) for number in range(20)]
    assert set(pairs(*copies, ProgramSource("b", "game.py", FIRST))) == {("a", "b")}


def test_of_two_students_the_most_similar_pairs_are_listed() -> None:
    program = "def f(x):\n    return [x * 2 for x in range(9) if x > 1] or None\n"
    many = [ProgramSource(who, f"m{number}.py", program + "pass\n" * number) for who in "ab" for number in range(60)]
    notes: list[str] = []
    chosen = similar_pairs(
        [*many, ProgramSource("c", "game.py", FIRST), ProgramSource("d", "game.py", FIRST)],
        [],
        least=0.6,
        common=200,
        note=notes.append,
    )
    assert [pair.names[:2] for pair in chosen].count(("a", "b")) == 5
    assert ("c", "d") in [pair.names[:2] for pair in chosen]
    assert notes == [f"{who}: of 60 different files the 50 longest were compared" for who in "ab"]


@pytest.mark.slow
def test_signs_that_are_no_code_hide_no_copy() -> None:
    signs = "".join(f"{chr(0xE000 + number)}\n" for number in range(6_000))
    more = "".join(f"{chr(0xF0000 + number)}\n" for number in range(60_000))
    sources = [ProgramSource("a", "game.py", FIRST), ProgramSource("b", "game.py", FIRST)]
    others = [ProgramSource("c", "c.py", signs), ProgramSource("d", "d.py", more)]
    assert ("a", "b") in pairs(*sources, *others)


def test_names_of_builtins_and_semicolons_hide_no_copy() -> None:
    program = "def total(cards):\n    result = []\n    for card in cards:\n        result.append(card * 2)\n"
    program += "    other = len(result) + max(cards)\n    return other if other > 3 else len(cards)\n"
    copy = program
    for name, builtin in {"total": "sum", "cards": "list", "result": "id", "card": "object", "other": "max_"}.items():
        copy = copy.replace(name, builtin)
    copy = copy.replace(")\n", ");\n").replace("def sum(list):;", "def sum(list):")
    assert pairs(ProgramSource("a", "game.py", program), ProgramSource("b", "game.py", copy), least=0.9) == [("a", "b")]


def test_earlier_classes_are_compared_with_this_one_only() -> None:
    sources = [
        ProgramSource("a", "game.py", FIRST),
        *(ProgramSource(name, "game.py", FIRST, earlier=True) for name in "bc"),
    ]
    assert pairs(*sources) == [("a", "b"), ("a", "c")]


def test_programs_of_one_student_are_not_compared() -> None:
    assert pairs(ProgramSource("a", "one.py", FIRST), ProgramSource("a", "two.py", FIRST)) == []


def test_the_passages_are_the_lines_that_match() -> None:
    first, second = f"{SECOND}\n\n\n{FIRST}\n", f"{FIRST}\n\n\n{THIRD}\n"
    [pair] = similar_pairs(
        [ProgramSource("a", "game.py", first), ProgramSource("b", "game.py", second)], [], least=0.2, common=10
    )
    shift = SECOND.count("\n") + 3
    assert pair.passages
    longest = max(pair.passages, key=lambda passage: passage.first[1] - passage.first[0])
    assert longest.first[0] - longest.second[0] == shift
    assert longest.first[1] - longest.second[1] == shift
    assert longest.first[1] - longest.first[0] > FIRST.count("\n") / 2


@pytest.mark.parametrize("padding", ["# padding\n" * 30_000, '"""' + "text\n" * 60_000 + '"""\n', "\n" * 300_000])
def test_what_is_no_code_hides_no_copy(padding: str) -> None:
    notes: list[str] = []
    sources = [ProgramSource("a", "game.py", FIRST), ProgramSource("b", "game.py", f"{padding}{FIRST}")]
    [pair] = similar_pairs(sources, [], least=0.6, common=10, note=notes.append)
    assert (pair.first_share, pair.second_share > 0.9, notes) == (1, True, [])


@pytest.mark.parametrize(("line", "most"), [("x = 1\n", 50_000 // 3 + 1), ("#" + "x" * 1_999 + "\n", 1_000)])
def test_a_program_that_is_not_read_to_its_end_is_told(line: str, most: int) -> None:
    notes: list[str] = []
    sources = [ProgramSource("a", "game.py", FIRST), ProgramSource("b", "game.py", line * (most + 5) + FIRST)]
    assert similar_pairs(sources, [], least=0.6, common=10, note=notes.append) == []
    assert [note.replace(f"{most:d}", "N").replace(f"{most + 1:d}", "N") for note in notes] == [
        "b: game.py is too long: what comes after line N was not compared"
    ]


@pytest.mark.slow
@pytest.mark.parametrize("line", ["x = 1\n", "#" + "x" * 1_999 + "\n"])
def test_many_files_of_a_student_take_no_longer_than_one(line: str) -> None:
    notes: list[str] = []
    sources = [ProgramSource("b", f"m{number}.py", line * 600) for number in range(30)]
    similar_pairs([*sources, ProgramSource("a", "game.py", FIRST)], [], least=0.6, common=10, note=notes.append)
    assert notes[-1] == "b: m29.py is too long: what comes after line 1 was not compared"


@pytest.mark.parametrize("code", ["", "x = 1\n", "\0" * 5000, "(" * 5000, "x = " + "1 + " * 5000 + "1", "é\n" * 3000])
def test_odd_files_are_compared_too(code: str) -> None:
    sources = [
        ProgramSource("a", "game.py", code),
        ProgramSource("b", "game.py", code),
        ProgramSource("c", "GAME", code),
    ]
    for pair in similar_pairs(sources, [], least=0.5, common=10):
        assert 0.5 <= pair.share <= 1
        assert len(pair.passages) < 5000


@pytest.mark.slow
def test_the_result_is_the_same_in_every_run() -> None:
    script = (
        "from grader.plugins.similarity.fingerprints import *\n"
        "from pathlib import Path\n"
        "files = sorted(Path('submissions').glob('cse231-lab10b/*/*.py'))\n"
        "sources = [ProgramSource(str(file), file.name, file.read_text(errors='replace')) for file in files]\n"
        "for pair in similar_pairs(sources, [], least=0.3, common=10): print(pair.names, pair.share, pair.passages)\n"
    )
    runs = {
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    }
    assert len(runs) == 1
    assert len(runs.pop().splitlines()) > 3


def test_without_copydetect_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "copydetect.utils", None)
    with pytest.raises(SimilarError, match=r"install it with: .*\[similar\]"):
        similar_pairs([ProgramSource("a", "a.py", "x = 1")], [], least=1, common=1)
