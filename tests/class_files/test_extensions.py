"""extensions.yaml."""

import unicodedata
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from grader.class_files.extensions import read_extensions, shared_due
from grader.errors import SpecError
from grader.model.assignment import Assignment
from grader.model.mark import ClassExtensions, StudentExtension
from tests.class_files.marked_assignment import ASSIGNMENT as MARKED

SYDNEY = ZoneInfo("Australia/Sydney")
ASSIGNMENT: Assignment = replace(MARKED, due=datetime(2025, 10, 27, 11, 59, tzinfo=SYDNEY))
CLASS = ("amber", "basalt", "01")


def extensions(folder: Path, content: str, students: tuple[str, ...] = CLASS) -> ClassExtensions:
    file = folder / "extensions.yaml"
    file.write_text(f"format: 1\n{content}")
    return read_extensions(file, ASSIGNMENT, students)


def problems(folder: Path, content: str) -> list[str]:
    with pytest.raises(SpecError) as caught:
        extensions(folder, content)
    return str(caught.value).replace(f"{folder}/extensions.yaml:", "").splitlines()


def test_due_dates_are_local_and_names_are_text(tmp_path: Path) -> None:
    granted = extensions(
        tmp_path,
        "extensions:\n"
        "  - {student: amber, due: 2025-10-29 11:59, reason: illness}\n"
        "  - {student: 01, due: 2026-07-01 09:00:30}\n",
    )
    assert {student: own.due.isoformat() for student, own in granted.of.items() if own.due} == {
        "amber": "2025-10-29T11:59:00+11:00",
        "01": "2026-07-01T09:00:30+10:00",
    }
    assert granted.notes == ()


def test_someone_without_a_submission_is_a_note_with_a_suggestion(tmp_path: Path) -> None:
    granted = extensions(tmp_path, "extensions:\n  - {student: ambr, due: 2025-10-29 11:59}\n")
    file = tmp_path / "extensions.yaml"
    assert granted.notes == (f"{file}:3:15: no submission of `ambr`; did you mean `amber`?",)
    assert "ambr" in granted.of


def test_a_note_does_not_list_a_whole_class(tmp_path: Path) -> None:
    students = tuple(f"student{number}" for number in range(200))
    granted = extensions(tmp_path, "extensions:\n  - {student: zzz, due: 2025-10-29 11:59}\n", students)
    assert granted.notes == (f"{tmp_path}/extensions.yaml:3:15: no submission of `zzz`",)


def test_a_student_named_twice_is_an_error_even_without_a_submission(tmp_path: Path) -> None:
    entries = "".join(f"  - {{student: {name}, due: 2025-10-29 11:59}}\n" for name in ("amber", "x", "amber", "x"))
    assert problems(tmp_path, f"extensions:\n{entries}") == [
        "5:15: `amber` is given twice",
        "6:15: `x` is given twice",
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("extensions: []\n", ["2:13: found an empty list; expected at least one item"]),
        ("extensions:\n", ["2:12: found nothing; expected a list"]),
        ("", ["1:1: the key `extensions` is missing here"]),
        (
            "extensions:\n  - {student: amber, due: 2025-10-29, why: illness}\n",
            [
                "3:27: found `2025-10-29`; expected a date and time such as 2025-10-27 11:59",
                "3:39: unknown key `why`; expected one of: "
                "due, excused, extra_late_days, late_days, reason, student, waive",
            ],
        ),
        ("extensions:\n  - {due: 2025-10-29 11:59}\n", ["3:5: the key `student` is missing here"]),
        ("extensions:\n  amber: 2025-10-29 11:59\n", ["3:3: found a mapping; expected a list"]),
    ],
)
def test_faults(content: str, expected: list[str], tmp_path: Path) -> None:
    assert problems(tmp_path, content) == expected


def test_special_consideration(tmp_path: Path) -> None:
    granted = extensions(
        tmp_path,
        "extensions:\n"
        "  - {student: amber, late_days: 2, extra_late_days: 1, reason: travel}\n"
        "  - {student: basalt, waive: true}\n"
        "  - {student: 01, excused: true}\n",
    )
    assert granted.of == {
        "amber": StudentExtension(late_days=2, extra_late_days=1, reason="travel"),
        "basalt": StudentExtension(waived=True),
        "01": StudentExtension(excused=True),
    }


def test_a_name_is_the_same_however_its_accents_are_written(tmp_path: Path) -> None:
    written, taken_in = (unicodedata.normalize(form, "José") for form in ("NFD", "NFC"))
    granted = extensions(tmp_path, f"extensions: [{{student: {written}, excused: true}}]\n", (taken_in,))
    assert (granted.of, granted.notes) == ({taken_in: StudentExtension(excused=True)}, ())


def test_a_table_from_a_spreadsheet_of_another_country(tmp_path: Path) -> None:
    file = tmp_path / "extensions.csv"
    file.write_bytes("\ufeffstudent;excused;reason\r\namber;TRUE;ill, since Monday\r\n".encode())
    granted = read_extensions(file, ASSIGNMENT, CLASS)
    assert granted.of == {"amber": StudentExtension(excused=True, reason="ill, since Monday")}


def test_a_table_says_the_same(tmp_path: Path) -> None:
    file = tmp_path / "extensions.csv"
    file.write_text(
        "\ufeffstudent,reason,due,late_days,waive\r\n"
        'amber,"ill, since Monday",2025-10-29 11:59,,\r\n'
        "\r\n"
        "basalt,,,2,true\r\n"
        "'=1+1,,2025-10-29 11:59,,\r\n"
    )
    granted = read_extensions(file, ASSIGNMENT, CLASS)
    due = datetime(2025, 10, 29, 11, 59, tzinfo=SYDNEY)
    assert granted.of == {
        "amber": StudentExtension(due=due, reason="ill, since Monday"),
        "basalt": StudentExtension(late_days=2, waived=True),
        "=1+1": StudentExtension(due=due),
    }
    assert granted.notes == (f"{file}:5:1: no submission of `=1+1`; expected one of: 01, amber, basalt",)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("student,due\namber,soon\n", ["2:2: found `soon`; expected a date and time such as 2025-10-27 11:59"]),
        ("student,until\namber,2025-10-29 11:59\n", ["1:2: unknown key `until`; expected one of: due, "]),
        ("student,due\namber,\n", ["2:1: this entry grants nothing; expected one of `due`, `excused`"]),
        ("student,due\n", ["1:1: found an empty list; expected at least one item"]),
        ("due\n2025-10-29 11:59\n", ["2:1: the key `student` is missing here"]),
        ("student,due,due\n", ["1:3: the column `due` is given twice; expected a name of its own for each"]),
        ("student,due\namber,,x\n", ["2:3: this row has 3 cells, the header has 2; expected a cell for each column"]),
    ],
)
def test_faults_of_a_table(content: str, expected: list[str], tmp_path: Path) -> None:
    file = tmp_path / "extensions.csv"
    file.write_text(content)
    with pytest.raises(SpecError) as caught:
        read_extensions(file, ASSIGNMENT, CLASS)
    said = str(caught.value).replace(f"{file}:", "").splitlines()
    assert [line[: len(start)] for line, start in zip(said, expected, strict=True)] == expected


@pytest.mark.parametrize("row", ['"amber ",2', " amber , 2 ", '"amber\u00a0","\t2"'])
@pytest.mark.parametrize("header", ["student,late_days", "student , late_days"])
def test_spaces_around_a_cell_are_no_part_of_it(row: str, header: str, tmp_path: Path) -> None:
    file = tmp_path / "extensions.csv"
    file.write_text(f"{header}\n{row}\n", encoding="utf-8")
    assert read_extensions(file, ASSIGNMENT, CLASS) == ClassExtensions({"amber": StudentExtension(late_days=2)})


@pytest.mark.parametrize(
    ("due", "counts"), [("2025-10-27 11:58", False), ("2025-10-27 11:59", True), ("2025-10-28 00:00", True)]
)
def test_nobody_has_to_hand_in_before_the_class(due: str, counts: bool, tmp_path: Path) -> None:
    granted = extensions(tmp_path, f"extensions:\n  - {{student: amber, due: {due}, late_days: 2}}\n")
    moment = datetime.fromisoformat(due).replace(tzinfo=SYDNEY)
    assert granted.of["amber"] == StudentExtension(due=max(moment, ASSIGNMENT.due), late_days=2)
    assert granted.notes == (
        ()
        if counts
        else (
            f"{tmp_path}/extensions.yaml:3:27: the due date of `amber`, 2025-10-27 11:58:00, is before that of the "
            "assignment, 2025-10-27 11:59:00, which counts; write a later one",
        )
    )


def test_the_id_of_a_roster_is_the_name_in_reports(tmp_path: Path) -> None:
    granted = extensions(tmp_path, "extensions:\n  - {student: 2019/CS/01, late_days: 1}\n", ("2019_CS_01",))
    assert granted == ClassExtensions({"2019_CS_01": StudentExtension(late_days=1)})
    two = "extensions:\n  - {student: 2019/CS/01, late_days: 1}\n  - {student: 2019_CS_01, late_days: 2}\n"
    assert problems(tmp_path, two) == ["4:15: `2019_CS_01` is given twice"]


def test_the_latest_due_date_of_a_team_is_each_members(tmp_path: Path) -> None:
    rows = "a,2025-10-29 11:59,,illness\nb,2025-10-30 11:59,,\nc,,true,certificate\nd,2025-10-31 11:59,,\n"
    (tmp_path / "extensions.csv").write_text(f"student,due,waive,reason\n{rows}")
    granted = read_extensions(tmp_path / "extensions.csv", ASSIGNMENT, "abcdefg")
    shared = shared_due(granted, [("a", "b", "c", "e"), ("f", "g")])
    assert {student: f"{item.due:%d}" for student, item in shared.of.items() if item.due} == {
        "a": "30",
        "b": "30",
        "c": "30",
        "d": "31",
        "e": "30",
    }
    assert [shared.of[student].reason for student in "abcde"] == [
        "illness; the latest due date of the team",
        "",
        "certificate; the latest due date of the team",
        "",
        "the latest due date of the team",
    ]
    assert [student for student, item in shared.of.items() if item.waived] == ["c"]
