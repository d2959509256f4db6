"""A made-up class for measurements: many submissions of a small interactive program, and ten tests."""

import shutil
from dataclasses import dataclass
from pathlib import Path

TESTS = 10

_PROGRAM = """\
# Handed in by {student}.
total = 0
count = int(input("How many numbers? "))
for number in range(count):
    total += int(input(f"Number {{number + 1}}: "))
    print("Total so far:", total)
print("Done.{fault}")
"""

_ASSIGNMENT = """\
format: 1
id: totals
title: Adding numbers
programs:
  - {{file: totals.py}}
parts:
  - {{id: totals, title: totals, marks: {tests}}}
due: 2026-03-20 17:00
time_zone: Europe/Vienna
"""


@dataclass(frozen=True)
class BatchClass:
    """A course folder; `submissions` has a folder per student."""

    folder: Path

    @property
    def submissions(self) -> Path:
        """The folder to grade."""
        return self.folder / "submissions" / "totals"

    def lines(self, test: int) -> list[str]:
        """Return the lines typed in test number `test`, counted from 0."""
        return [str(test % 4 + 1), *(str(test + number) for number in range(test % 4 + 1))]

    def stdin(self, test: int) -> Path:
        """Return a file with these lines, for a run without a terminal."""
        return self.folder / "stdin" / f"{test}.txt"

    def stdout(self, test: int) -> Path:
        """Return the output of the correct program when it reads that file."""
        return self.folder / "stdout" / f"{test}.txt"


def make_class(folder: Path, students: int, *, every_faulty: int = 10, tests: int = TESTS) -> BatchClass:
    """Make a class of `students` in `folder`, which is emptied first; one in `every_faulty` fails every test."""
    shutil.rmtree(folder, ignore_errors=True)
    made = BatchClass(folder)
    _write(folder / "reference" / "totals.py", _PROGRAM.format(student="the instructor", fault=""))
    _write(folder / "test_specs" / "totals" / "assignment.yaml", _ASSIGNMENT.format(tests=tests))
    written = ["format: 1", "program: totals.py", "part: totals", "tests:"]
    for test in range(tests):
        lines = made.lines(test)
        written.append(f"  - {{id: total-{test}, points: 1, input: [{', '.join(lines)}]}}")
        _write(made.stdin(test), "".join(f"{line}\n" for line in lines))
        said, typed = _dialogue([int(line) for line in lines[1:]])
        _write(made.stdout(test), said)
        _write(folder / "test_specs" / "totals" / "expected" / f"total-{test}.canonical.txt", typed)
    _write(folder / "test_specs" / "totals" / "tests" / "totals.yaml", "\n".join(written) + "\n")
    for number in range(students):
        student = f"student-{number:04}"
        fault = "" if (number + 1) % every_faulty else "!"
        _write(made.submissions / student / "totals.py", _PROGRAM.format(student=student, fault=fault))
        _write(made.submissions / student / "submission.yaml", "submitted: 2026-03-20 16:00\n")
    return made


def _dialogue(numbers: list[int]) -> tuple[str, str]:
    """Return the output of the program, without and with the typed lines."""
    said = "How many numbers? "
    typed = f"{said}{len(numbers)}\n"
    total = 0
    for index, number in enumerate(numbers, 1):
        total += number
        prompt, answer = f"Number {index}: ", f"Total so far: {total}\n"
        said += prompt + answer
        typed += f"{prompt}{number}\n{answer}"
    return said + "Done.\n", typed + "Done.\n"


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
