"""A course with a game of moves, a function and a program that adds numbers; most submissions pass all tests."""

from pathlib import Path

import pytest

GAME = """\
total = 0
while (line := input("Move: ")) != "q":
    word, _, number = line.partition(" ")
    if word == "add" and number:
        total += int(number)
    elif word == "clear":
        total = 0
    else:
        print("what?")
    print("total", total)
"""


LISTS = """\
def largest(numbers):
    best = None
    for number in numbers:
        if best is None or number > best:
            best = number
    return best
"""


COUNT = """\
import sys
print(sum(int(line) for line in sys.stdin if line.strip()))
"""


FILES = {
    "reference/game.py": GAME,
    "reference/lists.py": LISTS,
    "reference/count.py": COUNT,
    "test_specs/moves/assignment.yaml": """\
format: 1
id: moves
title: Moves
programs: [{file: game.py}, {file: lists.py}, {file: count.py}]
parts:
  - {id: all, title: All, marks: 4}
due: 2025-10-27 11:59
time_zone: Australia/Sydney
limits: {wall_seconds: 20}
""",
    "test_specs/moves/tests/game.yaml": """\
format: 1
program: game.py
part: all
tests:
  - {id: adds, points: 2, compare: {ignore: [trailing-whitespace]}, input: [add 3, clear, add 2, hm, q]}
""",
    "test_specs/moves/tests/lists.yaml": """\
format: 1
program: lists.py
part: all
tests:
  - {id: largest, points: 1, call: "largest([3, 1, 2])"}
""",
    "test_specs/moves/tests/count.yaml": """\
format: 1
program: count.py
part: all
tests:
  - {id: sums, points: 1, stdin_text: "1\\n2\\n"}
""",
    "test_specs/moves/fuzz.yaml": """\
format: 1
sessions:
  - id: random-moves
    test: adds
    rules:
      move: [clear, "add {0..200}", "{hm|add}", q]
    input:
      - {repeat: "{move}", times: 0..12}
      - q
  - id: random-lists
    test: largest
    rules:
      numbers: {repeat: "{-9..9}", times: 0..6, between: ", "}
    call: "largest([{numbers}])"
  - id: random-sums
    test: sums
    input: [{repeat: "{0..50}", times: 0..5}]
leave_out:
  - {input: '^add 200$', because: how large a number may be is not said}
""",
    "submissions/moves/right/game.py": GAME.replace("total = 0\nwhile", "total: int = 0\nwhile"),
    "submissions/moves/right/lists.py": LISTS,
    "submissions/moves/right/count.py": COUNT,
    # It adds the rest of a division by 77, which the numbers of the test are too small for.
    "submissions/moves/forgets/game.py": GAME.replace("total += int(number)", "total += int(number) % 77"),
    "submissions/moves/forgets/lists.py": LISTS,
    "submissions/moves/forgets/count.py": COUNT,
    "submissions/moves/zero/game.py": GAME,
    "submissions/moves/zero/lists.py": LISTS.replace("best = None", "best = 0"),
    "submissions/moves/zero/count.py": COUNT,
    "submissions/moves/zero-too/game.py": GAME + "\n",
    "submissions/moves/zero-too/lists.py": LISTS.replace("best = None", "best = int()"),
    "submissions/moves/zero-too/count.py": COUNT,
    # It passes no test, so what else it does is not looked at.
    "submissions/moves/wrong/game.py": "print('Hello')\n",
    "submissions/moves/wrong/lists.py": LISTS,
    "submissions/moves/wrong/count.py": COUNT,
}


@pytest.fixture
def moves_course(tmp_path: Path) -> Path:
    """The course folder; its expected files are not there yet."""
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    return tmp_path
