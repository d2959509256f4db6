"""Disguised programs do the same under other names; a misspelt one prints something else."""

import random
import subprocess
import sys

from benchmarks.disguise import disguised, with_misspelling
from tests import ROOT

PROGRAM = """\
LIMIT = 3


def doubled(number):
    result = 2 * number  # twice
    return result


def shown(number, *, word="Double"):
    try:
        rest = [digit for digit in str(doubled(number))]
    except ValueError as error:
        rest = [str(error)]
    return f"{word}: {''.join(rest)}"


for number in range(LIMIT):
    print(shown(number, word="Twice this"))
print("That is all")
"""


def printed(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


def test_a_disguised_program_does_the_same() -> None:
    made = {disguised(PROGRAM, random.Random(seed)) for seed in range(6)}
    assert len(made) > 1
    for program in made:
        assert "result" not in program
        assert "# twice" not in program
        assert printed(program) == printed(PROGRAM)
    assert len({program.index("def doubled") < program.index("def shown") for program in made}) == 2


def test_every_reference_can_be_disguised() -> None:
    for file in sorted((ROOT / "reference").glob("*.py")):
        program = disguised(file.read_text(encoding="utf-8"), random.Random(1))
        compile(program, file.name, "exec")
        assert program != file.read_text(encoding="utf-8")


def test_one_text_is_misspelt() -> None:
    right, wrong = printed(PROGRAM).splitlines(), printed(with_misspelling(PROGRAM, random.Random(2))).splitlines()
    assert [sorted(line) for line in right] == [sorted(line) for line in wrong]
    assert right != wrong


def test_a_program_without_texts_stays_as_it_is() -> None:
    assert with_misspelling("print(1)\n", random.Random(1)) == "print(1)\n"
