"""Makes up a class in any download format: students with names in many scripts, several attempts and lateness.

The same seed always makes the same class. `python -m benchmarks.course FOLDER --students 20 --shape moodle` writes
FOLDER/submissions (or an archive with that name) and FOLDER/roster.csv.
"""

import argparse
import csv
import random
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from benchmarks.shapes import SHAPES, Attempt, Student

ZONE = ZoneInfo("Australia/Sydney")
DUE = datetime(2025, 10, 27, 11, 59, tzinfo=ZONE)
PROGRAM = "totals.py"

_FIRST = (
    *("Ada", "Zoë", "José", "Nguyễn Văn", "Øyvind", "Mária", "Jean-Luc", "Anne Marie", "=SUM", "+Plus", "@dele"),
    *(
        "Иван",
        "Ελένη",
        "محمد",
        "דוד",
        "小明",
        "はなこ",
        "민준",
        "राम",
        "สมชาย",
        "Աննա",
        "D'Arcy",
        'Bob "Bobby"',
        "-Dash",
    ),
)
_LAST = (
    *(
        "Lovelace",
        "Müller",
        "García Márquez",
        "O'Brien",
        "de la Cruz",
        "Şahin",
        "Łukasz",
        "Smith, Jr.",
        "1+1",
        "van 't Hof",
    ),
    *("Петров", "Παπαδοπούλου", "العلي", "כהן", "王", "山田", "김", "शर्मा", "ใจดี", "Պետրոսյան", "Sørensen"),
)
_SHARE_OF_NOTHING = 0.05
_SHARE_OF_LATE = 0.2
_MAX_ATTEMPTS = 3


@dataclass(frozen=True)
class Course:
    """The class: its students, and the attempts of each, the newest attempt last."""

    students: tuple[Student, ...]

    def write_roster(self, file: Path) -> None:
        """Write roster.csv."""
        columns = [field.name for field in fields(Student) if field.name != "attempts"]
        with file.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(columns)
            writer.writerows([getattr(student, column) for column in columns] for student in self.students)

    def write(self, folder: Path, shape: str, program: str = PROGRAM) -> Path:
        """Write the submissions in one of SHAPES, and return the folder or archive to grade."""
        folder.mkdir(parents=True, exist_ok=True)
        return SHAPES[shape](folder, program, self.students, DUE)


def make_course(count: int, seed: int = 0) -> Course:
    """Make up a class of `count` students. Some submit nothing, some late or several times, and some share a name."""
    chance = random.Random(seed)
    return Course(tuple(_student(number, chance) for number in range(count)))


def _student(number: int, chance: random.Random) -> Student:
    given, family = chance.choice(_FIRST), chance.choice(_LAST)
    login = f"z{5_000_000 + number}"
    attempts: list[Attempt] = []
    if chance.random() >= _SHARE_OF_NOTHING:
        late = chance.random() < _SHARE_OF_LATE
        time = DUE + timedelta(minutes=chance.randrange(1, 4000) if late else -chance.randrange(4000))
        count = chance.randrange(_MAX_ATTEMPTS)
        attempts += [_attempt(login, time, back, chance) for back in range(count, -1, -1)]
    return Student(
        id=login,
        name=f"{given} {family}",
        sortable_name=f"{family}, {given}",
        email=f"{login}@school.example",
        login=f"user-{number}",
        moodle=str(7_000_000 + number),
        canvas=str(40_000 + number),
        attempts=tuple(attempts),
    )


def _attempt(login: str, newest: datetime, back: int, chance: random.Random) -> Attempt:
    return Attempt(newest - timedelta(hours=7 * back), _source(login, back, chance))


def _source(login: str, back: int, chance: random.Random) -> str:
    fault = "!" if chance.random() < 0.1 else ""
    return (
        f"# {login}, {back} before the last\n"
        "total = 0\n"
        'for number in range(int(input("How many numbers? "))):\n'
        '    total += int(input(f"Number {number + 1}: "))\n'
        '    print("Total so far:", total)\n'
        f'print("Done.{fault}")\n'
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Make a class, and print where it is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--students", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--shape", choices=sorted(SHAPES), default="folders")
    parser.add_argument("--program", default=PROGRAM, help="what the files handed in are called")
    options = parser.parse_args(arguments)
    course = make_course(options.students, options.seed)
    print(course.write(options.folder, options.shape, options.program))
    course.write_roster(options.folder / "roster.csv")
    print(options.folder / "roster.csv")


if __name__ == "__main__":
    main()
