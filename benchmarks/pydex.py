"""Measures tests and random sessions on the programs of PyDex (microsoft/prose-benchmarks), which read and print.

FOLDER is its folder `PyDex`, which is not part of this project. Each question becomes an assignment with the tests of
the data set, except for tests in which its reference raises an exception. Its correct programs and its programs with
syntax errors are the submissions; trailing spaces and blank lines are ignored. Random sessions contain the input that
the question allows. One question is left out because it needs packages. The output has the same form as for Refactory's
programs.

Run as `python -m benchmarks.pydex FOLDER [--questions ID ...] [--sessions N] [--every N]`.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.labelled_programs import LabelledPrograms, Question, main_of

_RECORDS = {
    "blanks": {"repeat": " ", "times": "0..2"},
    "record": "{101..104}{blanks},{blanks}{CS101|CS102|EE1a}{blanks},{blanks}{-5..40}",
}


def _records() -> list[object]:
    return ["3", *(["{record}"] * 3)]


QUESTIONS: Mapping[str, Mapping[str, object]] = {
    "2865": {"rules": {"name": {"repeat": "{A|b|*|7| }", "times": "1..6"}}, "input": ["{name}"]},
    "2868": {"input": [["{-100..400}", "{-100..400}.{0..9}", "{0..400}.{0..999}"]]},
    "2869": {"input": [["{0..2000}", "0{0..2000}", "{1..99999}00"]]},
    "2870": {"rules": {"word": {"repeat": "{a|A|b|B|c}", "times": "1..7"}}, "input": ["{word}"]},
    "2872": {
        "rules": {"some": {"repeat": "{It| is|a|!}", "times": "0..4"}},
        "input": [["{some}not{some}bad{some}", "{some}bad{some}not{some}", "{some}{not|bad|}{some}"]],
    },
    "2873": {"input": [["{0..2000}", "{153|370|371|407}", "{1..999999999}"]]},
    "2874": {"input": ["{1..20}"]},
    "2875": {"input": ["{1..26}"]},
    "2877": {
        "rules": {
            "value": {"repeat": "{a|b|1| }", "times": "0..4"},
            "values": {"repeat": "{value}", "times": "1..5", "between": ","},
        },
        "input": ["{values}"],
    },
    "2878": {"rules": _RECORDS, "input": _records()},
    "2879": {"rules": _RECORDS, "input": _records()},
    "2882": {"rules": {"blanks": {"repeat": " ", "times": "0..2"}}, "input": ["{1..10000}{blanks},{blanks}{1..10000}"]},
    "2883": {
        "rules": {"blanks": {"repeat": " ", "times": "0..2"}},
        "input": [["{0..2}{blanks},{blanks}{0..12}", "3{blanks},{blanks}{0..4}"]],
    },
    "2920": {
        "rules": {"others": {"repeat": "{a|E|s|z| |.|7}", "times": "0..5"}},
        "input": [
            [
                "{The|the} quick brown {fox|dog} jumps over the {lazy|LAZY} dog{others}",
                "{others}abcdefghijklm{o|n|O}opqr{S|t|s}tuvwxy{z|Z|}{others}",
            ]
        ],
    },
}
"""The content of random sessions, by question."""


def _question(content: Mapping[str, Any], number: str) -> Question:
    examples = [one for one in content["IO_example"] if "OUCH" not in one["output"]]
    tests = [
        {"id": f"example-{place}", "stdin_text": one["input"] + "\n" * (not one["input"].endswith("\n"))}
        for place, one in enumerate(examples)
    ]
    return Question(
        title=number,
        file="answer.py",
        reference=content["reference_solution"].encode(),
        tests=[{**test, "compare": {"ignore": ["trailing-whitespace", "blank-lines"]}} for test in tests],
        sessions={"test": tests[0]["id"], **QUESTIONS[number]},
    )


def _programs(content: Mapping[str, Any], kind: str) -> dict[str, bytes]:
    return {f"{place:02}": one[kind].encode() for place, one in enumerate(content["submission"])}


def _read(folder: Path, number: str) -> tuple[Question, LabelledPrograms]:
    content = json.loads((folder / f"{number}_syntaxincorrect_correct_pair.json").read_text("utf-8"))
    programs = LabelledPrograms(_programs(content, "semantics_correct"), _programs(content, "syntax_incorrect"))
    return _question(content, number), programs


def main() -> None:
    main_of(__doc__, "questions", list(QUESTIONS), _read)


if __name__ == "__main__":
    main()
