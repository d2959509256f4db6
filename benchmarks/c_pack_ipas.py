"""Measures tests and random sessions on real C programs that read and print: C-Pack-IPAs (pmorvalho/C-Pack-IPAs).

FOLDER is a copy of the data set, which is not part of this project. Each of its 25 exercises becomes an assignment with
the tests of the data set; the submissions are the last correct program and all semantically incorrect ones. Output has
to match exactly, as in the data set. Random sessions contain the input that the exercise's description allows. The
output has the same form as for Refactory's programs.

Run as `python -m benchmarks.c_pack_ipas FOLDER [--exercises lab02/ex01 ...] [--sessions N] [--every N]`.
"""

from collections.abc import Mapping
from pathlib import Path

from benchmarks.labelled_programs import LabelledPrograms, Question, main_of

_REAL = {"real": "{|-}{0..9}.{0|5}"}
_POSITIVE = {"number": "{1..9}"}


def _counted(item: str) -> list[str]:
    """Return a pattern for numbers preceded by their count."""
    return [f"{count}{f' {{{item}}}' * count}" for count in range(1, 6)]


def _as_long(digit: str) -> list[str]:
    """Return a pattern for two numbers with the same number of digits."""
    return [f"{{1..9}}{digit * more} {{1..9}}{digit * more}" for more in (0, 1, 2, 4, 25)]


_DIGITS = {"digits": {"repeat": "{0..9}", "times": "0..40"}}
_CHARACTERS = {"line": {"repeat": "{a|b|Z|z|7|.| }", "times": "1..12"}}

EXERCISES: Mapping[str, Mapping[str, object]] = {
    "lab02/ex01": {"input": ["{-20..20} {-20..20} {-20..20}"]},
    "lab02/ex02": {"input": ["{-20..20} {-20..20}"]},
    "lab02/ex03": {"input": ["{1..60} {1..60}"]},
    "lab02/ex04": {"input": ["{-20..20} {-20..20} {-20..20}"]},
    "lab02/ex05": {"input": ["{1..40}"]},
    "lab02/ex06": {"rules": _REAL, "input": [_counted("real")]},
    "lab02/ex07": {"input": ["{1..400}"]},
    "lab02/ex08": {"rules": _REAL, "input": [_counted("real")]},
    "lab02/ex09": {"input": ["{0..359999}"]},
    "lab02/ex10": {"input": ["{1..999999999}"]},
    "lab03/ex01": {"input": ["{2..12}"]},
    "lab03/ex02": {"input": ["{2..9}"]},
    "lab03/ex03": {"input": ["{2..15}"]},
    "lab03/ex04": {
        "rules": {
            "number": ["{0|00|}{0..3000}", "{1..9}{digits}"],
            **_DIGITS,
            "numbers": {"repeat": "{number}", "times": "1..4", "between": " "},
        },
        "input": [{"repeat": "{numbers}", "times": "1..3"}],
    },
    "lab03/ex05": {
        "rules": {
            "text": {"repeat": '{a|b| |7|\\"|\\\\}', "times": "1..8"},
            "messages": {"repeat": '"{text}"', "times": "1..3", "between": " "},
        },
        "input": [{"repeat": "{messages}", "times": "1..2"}],
    },
    "lab03/ex06": {"rules": _DIGITS, "input": [["{1..2000}", "{1..9}{digits}"]]},
    "lab03/ex07": {
        "rules": {"more": {"repeat": " {+|-} {0..120}", "times": "0..5"}},
        "input": ["{0..120}{more}"],
    },
    "lab04/ex01": {"rules": _POSITIVE, "input": [_counted("number")]},
    "lab04/ex02": {"rules": _POSITIVE, "input": [_counted("number")]},
    "lab04/ex03": {"rules": _POSITIVE, "input": [_counted("number")]},
    "lab04/ex04": {"rules": {"word": {"repeat": "{a|b|c}", "times": "1..7"}}, "input": ["{word}"]},
    "lab04/ex05": {"rules": _CHARACTERS, "input": ["{line}"]},
    "lab04/ex06": {"rules": _CHARACTERS, "input": ["{line}"]},
    "lab04/ex07": {"rules": _CHARACTERS, "input": ["{line}", "{a|b|Z|7|.}"]},
    "lab04/ex08": {"input": [_as_long("{0..9}")]},
}
"""The content of random sessions, by exercise."""


def _question(folder: Path, exercise: str) -> Question:
    tests = [
        {"id": file.stem.replace("_", "-"), "stdin_text": file.read_text("utf-8")}
        for file in sorted((folder / "tests" / exercise).glob("*.in"))
    ]
    return Question(
        title=exercise,
        file="answer.c",
        reference=(folder / "reference_implementations" / f"{exercise}.c").read_bytes(),
        tests=tests,
        sessions={"test": tests[0]["id"], **EXERCISES[exercise]},
    )


def _programs(folder: Path, label: str, exercise: str) -> dict[str, bytes]:
    """Return the programs by year, student and number, without duplicates."""
    found: dict[bytes, str] = {}
    for file in sorted((folder / label).glob(f"year-*/{exercise}/*.c")):
        year = file.parts[-4]
        found.setdefault(file.read_bytes(), f"{year}-{file.stem}".replace("_", "-"))
    return {name: content for content, name in found.items()}


def read_exercise(folder: Path, exercise: str) -> tuple[Question, LabelledPrograms]:
    """Return the question of an exercise, and its labelled programs."""
    right = _programs(folder, "correct_submissions", exercise)
    wrong = _programs(folder, "semantically_incorrect_submissions", exercise)
    return _question(folder, exercise), LabelledPrograms(right, wrong)


def main() -> None:
    main_of(__doc__, "exercises", list(EXERCISES), read_exercise)


if __name__ == "__main__":
    main()
