"""Measures tests and random sessions on real programs of beginners: the data of Refactory (githubhuyang/refactory).

FOLDER is the unpacked `data.zip`, with a folder for each of five questions. It is not part of this project. The output
shows for each question how many programs get their label from the tests, how many of the programs that pass all tests
differ from the reference in random sessions, how many sessions were played, how long the shortest ones are, and how
many seconds it took. `--every 5` uses every fifth program with each label.

Run as `python -m benchmarks.refactory FOLDER [--questions N ...] [--sessions N] [--every N]`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.labelled_programs import LabelledPrograms, Question, main_of

_PAIR = '("{month}", "{1..9}")'
_NUMBERS: Mapping[str, object] = {"numbers": {"repeat": "{-9..20}", "times": "0..7", "between": ", "}}


@dataclass(frozen=True)
class AskedCalls:
    """The calls that the description of a question allows."""

    number: int
    calls: str
    rules: Mapping[str, object]


QUESTIONS = (
    AskedCalls(
        1,
        "search({-12..25}, {sequence})",
        {**_NUMBERS, "sequence": ["sorted([{numbers}])", "tuple(sorted([{numbers}]))"]},
    ),
    AskedCalls(
        2,
        "{request}{birthdays})",
        {
            "request": ['unique_day("{1..9}", ', 'unique_month("{month}", ', 'contains_unique_day("{month}", '],
            "month": "{January|February|March|July}",
            "birthdays": "tuple([{pairs}])",
            "pairs": {"repeat": _PAIR, "times": "0..6", "between": ", "},
        },
    ),
    AskedCalls(3, "remove_extras([{numbers}])", _NUMBERS),
    AskedCalls(
        4,
        # No two people have the same age.
        "sort_age(list({{age: (kind, age) for kind, age in [{people}]}}.values()))",
        {"people": {"repeat": '("{F|M}", {1..99})', "times": "0..8", "between": ", "}},
    ),
    AskedCalls(
        5,
        # At most as many as there are.
        "(lambda values, most: top_k(values, min(most, len(values))))([{numbers}], {0..7})",
        _NUMBERS,
    ),
)


def question_folder(data: Path, number: int) -> Path:
    """Return the folder of a question."""
    return data / f"question_{number}"


def calls_of(folder: Path) -> list[str]:
    """Return the calls in the tests of a question."""
    return [file.read_text("utf-8").strip() for file in sorted(folder.glob("ans/input_*.txt"))]


def prelude_of(folder: Path) -> str:
    """Return the code that precedes each program of a question."""
    before = folder / "code" / "global.py"
    return before.read_text("utf-8") + "\n" if before.is_file() else ""


def question_with(
    folder: Path, tests: Sequence[Mapping[str, object]], sessions: Mapping[str, object] | None = None
) -> Question:
    """Return the question in `folder` with these tests."""
    [reference] = folder.glob("code/reference/*.py")
    text = prelude_of(folder).encode() + reference.read_bytes()
    return Question(title=folder.name, file="answer.py", reference=text, tests=tests, sessions=sessions)


def _question(asked: AskedCalls, folder: Path) -> Question:
    calls = calls_of(folder)
    tests: list[Mapping[str, object]] = [{"id": "stated", "calls": calls}, {"id": "one", "call": calls[0]}]
    return question_with(folder, tests, {"test": "one", "rules": dict(asked.rules), "call": asked.calls})


def labelled_programs(folder: Path) -> LabelledPrograms:
    """Return the programs of a question."""
    return LabelledPrograms(_programs(folder, "correct"), _programs(folder, "wrong"))


def _programs(folder: Path, label: str) -> dict[str, bytes]:
    prelude = prelude_of(folder).encode()
    files = sorted((folder / "code" / label).glob("*.py"))
    return {file.stem: prelude + file.read_bytes() for file in files}


def _read(data: Path, number: str) -> tuple[Question, LabelledPrograms]:
    folder = question_folder(data, int(number))
    [asked] = (asked for asked in QUESTIONS if asked.number == int(number))
    return _question(asked, folder), labelled_programs(folder)


def main() -> None:
    main_of(__doc__, "questions", [str(asked.number) for asked in QUESTIONS], _read)


if __name__ == "__main__":
    main()
