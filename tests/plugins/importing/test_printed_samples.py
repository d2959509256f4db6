"""Sample sessions as pages print them: fences, marks, command lines, comments of a program, and what is left out."""

from pathlib import Path
from typing import Any

import pytest

from grader.errors import GraderError
from grader.plugins.importing.api import ImportedAssignment, import_session
from tests.plugins.importing.packages import verdicts, write, written
from tests.sandbox import needs_sandbox

TALLY = """\
total = 0
while (text := input("Amount: ")) != "done":
    total += int(text)
    print("So far:", total)
print("Total:", total)
"""
SAID = """\
print("How tall is the tree?")
tall = int(input())
print("How wide?")
wide = int(input())
print(tall * wide, "leaves")
"""
PLAIN = "Amount: 4\nSo far: 4\nAmount: 6\nSo far: 10\nAmount: done\nTotal: 10\n"


def made(page: str, folder: Path, *lines: str, program: str = TALLY, file: str = "page.md") -> ImportedAssignment:
    write(folder, {file: page, "tally.py": program})
    return import_session(
        folder / file, solution=folder / "tally.py", lines=lines, into=folder / "course", name="tally"
    )


def sessions_of(imported: ImportedAssignment) -> list[dict[str, Any]]:
    return list(written(imported, "tests/tests.yaml")["tests"])


def notes_of(imported: ImportedAssignment) -> list[str]:
    notes = (note.partition(": ")[2] for note in imported.notes if note.startswith("page."))
    return [note for note in notes if "typed line" not in note]


def marked(start: str, end: str) -> str:
    typed = {"Amount: 4": "4", "Amount: 6": "6", "Amount: done": "done"}
    lines = PLAIN.splitlines()
    return "".join(
        f"{line.removesuffix(typed[line])}{start}{typed[line]}{end}\n" if line in typed else f"{line}\n"
        for line in lines
    )


@pytest.mark.slow
@needs_sandbox
@pytest.mark.parametrize(
    "page",
    [
        f"# Tally\n\nIt looks so:\n\n```\n{PLAIN}```\n\nGood luck.\n",
        f"Run it:\n\n~~~console\n$ python3 tally.py\n{PLAIN}$\n~~~\n",
        f"Run it:\n\n```text\nada@lab:~/work$ ./tally\n{PLAIN}ada@lab:~/work$ \n```\n",
        f"<pre>\n{marked('<b>', '</b>')}</pre>\n",
        f"<sample-output>\n\n{marked('**', '**')}\n</sample-output>\n",
        f"```python\nprint(1)\n```\n\n```\n{PLAIN}```\n\n```\nno session\nat all\nof this program\n```\n",
        f"1. First\n\n    ```\n{''.join(f'    {line}' for line in PLAIN.splitlines(True))}    ```\n",
    ],
)
def test_a_session_in_a_block_of_a_page(page: str, tmp_path: Path) -> None:
    imported = made(page, tmp_path)
    (test,) = sessions_of(imported)
    assert test["input"] == ["4", "6", "done"]
    assert test["sample"] == "sample.txt"
    assert verdicts(imported) == {"accepted-solution": ["passed"]}


def test_blocks_of_other_programs_and_in_comments_are_no_sessions(tmp_path: Path) -> None:
    others = "<!-- ```\nAmount: done\nTotal: 0\n``` -->\n\n```\n3\n4\n```\n\n```\nSum: 3\nTotal\n```\n"
    imported = made(f"{others}\n```\n{PLAIN}```\n", tmp_path)
    assert [test["input"] for test in sessions_of(imported)] == [["4", "6", "done"]]
    assert notes_of(imported)[-1] == "the blocks from these lines on are no sessions of tally.py: 7, 12."


def test_a_program_without_prompts_does_not_take_any_block_for_typed(tmp_path: Path) -> None:
    page = "```\n3\n4\n```\n\n```\n3\n4\n7\n```\n"
    imported = made(page, tmp_path, program="print(int(input()) + int(input()))\n")
    (test,) = sessions_of(imported)
    assert (test["input"], test["sample"]) == (["3", "4"], "sample.txt")


def test_each_command_line_begins_a_session(tmp_path: Path) -> None:
    page = f"```\n$ python3 tally.py\n{PLAIN}$ python3 tally.py\nAmount: done\nTotal: 0\n```\n"
    assert [test["input"] for test in sessions_of(made(page, tmp_path))] == [["4", "6", "done"], ["done"]]


def test_a_session_that_follows_another_without_a_command_line(tmp_path: Path) -> None:
    imported = made(f"```\n{PLAIN}\nAmount: done\nTotal: 0\n```\n", tmp_path)
    assert [(test["input"], test["sample"]) for test in sessions_of(imported)] == [
        (["4", "6", "done"], "sample.txt"),
        (["done"], "sample-2.txt"),
    ]


def test_arguments_and_the_file_that_they_name(tmp_path: Path) -> None:
    program = "import sys\nprint(open(sys.argv[1]).read().strip(), input('Name: '))\n"
    write(tmp_path, {"words.txt": "Hello\n"})
    imported = made("```\n$ python tally.py words.txt\nName: Ada\nHello Ada\n```\n", tmp_path, program=program)
    (test,) = sessions_of(imported)
    assert (test["input"], test["args"], test["sample"]) == (["Ada"], ["words.txt"], "sample.txt")
    assert test["files"] == {"words.txt": "sample/words.txt"}


@pytest.mark.parametrize(
    "sample",
    [
        "How tall is the tree?\n3\nHow wide?\n2\n6 leaves\n",
        "\nHow tall is the tree?\n\n3\n\nHow wide?\n\n2\n6 leaves\n",
        "How tall is the tree?\n**3**\nHow wide?\n**2**\n6 leaves\n",
        "<!-- in Welsh:\nPa mor dal? -->\nHow tall is the tree?\n3\n<!-- Pa mor llydan? -->\nHow wide?\n2\n6 leaves\n",
    ],
)
def test_prompts_that_end_their_line(sample: str, tmp_path: Path) -> None:
    imported = made(f"```\n{sample}```\n", tmp_path, program=SAID)
    (test,) = sessions_of(imported)
    assert test["input"] == ["3", "2"]
    assert "sample" in test


@pytest.mark.parametrize(
    "sample", ["How tall is the tree? 3\nHow wide? 2\n6 leaves\n", "how tall is the tree? 3\nWide? 2\n"]
)
def test_typed_text_on_the_line_of_a_prompt_that_ends_its_own(sample: str, tmp_path: Path) -> None:
    imported = made(f"```\n{sample}```\n", tmp_path, program=SAID)
    (test,) = sessions_of(imported)
    assert test["input"] == ["3", "2"]
    assert "sample" not in test
    assert "the program ends the line" in notes_of(imported)[0]


def test_a_prompt_in_other_words(tmp_path: Path) -> None:
    imported = made(f"```\n{PLAIN.replace('Amount:', 'The amount:')}```\n", tmp_path)
    (test,) = sessions_of(imported)
    assert test["input"] == ["4", "6", "done"]
    assert notes_of(imported)[0] == "line 2: the sample has 'The amount:', the program prints 'Amount:'."


def test_blanks_after_a_prompt_are_named(tmp_path: Path) -> None:
    imported = made(f"```\n{PLAIN}```\n", tmp_path, program=TALLY.replace("Amount: ", "Amount:"))
    assert notes_of(imported) == ["line 2: the program prints other blanks, 'Amount:4'; the sample is not kept."]


def test_lines_that_are_left_out(tmp_path: Path) -> None:
    program = "for number in range(int(input('How many? '))):\n    print(number)\n"
    imported = made("```\nHow many? 50\n0\n1\n...\n49\n```\n", tmp_path, program=program)
    (test,) = sessions_of(imported)
    assert test["input"] == ["50"]
    assert "sample" not in test
    assert notes_of(imported) == ["line 5: the sample leaves lines out, so it is not kept; typed ones must be added."]


def test_a_program_that_draws_at_random(tmp_path: Path) -> None:
    program = "import random\nprint(input('Name: '), random.random())\n"
    imported = made("```\nName: Ada\nAda 0.5\n```\n", tmp_path, program=program)
    assert "prints something else whenever it is run" in notes_of(imported)[-1]


def test_an_end_of_input_that_is_shown(tmp_path: Path) -> None:
    program = "import sys\nprint('Lines:')\nprint(len(list(sys.stdin)), 'lines')\n"
    imported = made("```\nLines:\none\ntwo\n^D\n2 lines\n```\n", tmp_path, program=program)
    (test,) = sessions_of(imported)
    assert test["input"] == ["one", "two"]
    assert "asks_again" not in test


def test_a_comment_of_the_program(tmp_path: Path) -> None:
    comment = "".join(f"# {line}\n" for line in ("A tally.", "", *PLAIN.splitlines()))
    write(tmp_path, {"tally.py": comment + TALLY})
    imported = import_session(
        tmp_path / "tally.py", solution=tmp_path / "tally.py", lines=["3-8"], into=tmp_path / "course", name="tally"
    )
    (test,) = sessions_of(imported)
    assert (test["input"], test["sample"]) == (["4", "6", "done"], "sample.txt")


def test_a_sample_on_which_the_program_fails_is_no_test(tmp_path: Path) -> None:
    with pytest.raises(GraderError, match=r"from line 2 on was not imported: the program fails after 'four' was typed"):
        made("```\nAmount: four\nSo far: 4\n```\n", tmp_path, "1-4")


def test_a_failure_that_the_sample_shows(tmp_path: Path) -> None:
    program = "import sys\nif input('Age: ') == 'x':\n    print('No age.')\n    sys.exit(2)\n"
    (test,) = sessions_of(made("```\nAge: x\nNo age.\n```\n", tmp_path, program=program))
    assert (test["exit_status"], test["sample"]) == ("2", "sample.txt")


def test_a_line_on_which_only_enter_was_pressed(tmp_path: Path) -> None:
    program = "print('Press Enter.')\ninput()\nprint('Name?')\nprint('Hello', input())\n"
    (test,) = sessions_of(made("```\nPress Enter.\n\nName?\n\nAda\nHello Ada\n```\n", tmp_path, program=program))
    assert test["input"] == ["", "Ada"]


def test_a_solution_that_this_python_cannot_read(tmp_path: Path) -> None:
    with pytest.raises(GraderError, match="cannot read it"):
        made("```\nName: Ada\n```\n", tmp_path, program="print(\n")


def test_blanks_that_the_program_prints_before_every_line_stay(tmp_path: Path) -> None:
    program = "print('  Menu')\ninput('  Choice: ')\nprint('  Bye')\n"
    (test,) = sessions_of(made("```\n  Menu\n  Choice: 1\n  Bye\n```\n", tmp_path, program=program))
    assert (test["input"], test["sample"]) == (["1"], "sample.txt")
