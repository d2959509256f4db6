"""The Accordion reference: answers, refusals, and the order of piles."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
INPUTS = ROOT / "test_specs" / "cs509-2003-pa3" / "inputs"
BOTTOM_FIRST = "--order=bottom-first"


def run(text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "reference" / "accordion.py"), *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def reversed_piles(text: str) -> str:
    deal, *piles = text.splitlines()
    return "\n".join([deal, *(" ".join(reversed(pile.split())) for pile in piles)])


@pytest.mark.parametrize("file", sorted(INPUTS.glob("syntax-*.txt")), ids=lambda file: file.stem)
def test_bad_input_ends_with_a_message_that_says_where(file: Path) -> None:
    done = run(file.read_text())
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("accordion: line ")
    assert ", column " in done.stderr


@pytest.mark.parametrize(("name", "answer"), [("winning-21", ""), ("impossible-24", "impossible\n")])
def test_answers_in_both_orders(name: str, answer: str) -> None:
    text = (INPUTS / f"{name}.txt").read_text()
    for done in (run(text), run(reversed_piles(text), BOTTOM_FIRST)):
        assert (done.returncode, done.stdout, done.stderr) == (0, answer, "")


def test_the_same_tableau_is_printed_in_both_orders() -> None:
    text = (INPUTS / "losing-22-30.txt").read_text()
    lines = run(text).stdout.splitlines()
    other = run(reversed_piles(text), BOTTOM_FIRST).stdout.splitlines()
    assert [line.split() for line in lines] == [line.split()[::-1] for line in other]
    assert len(lines) == 22


def test_another_order_is_refused() -> None:
    done = run("", "--order=sideways")
    assert done.returncode == 1
    assert done.stderr.startswith("usage: ")
