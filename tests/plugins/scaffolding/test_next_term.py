"""`grader new term`: a course is copied without its students, and its dates are moved."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import SpecError
from grader.plugins.scaffolding.api import new_term
from grader.plugins.scaffolding.moved_dates import dates_in, doubt_about
from grader.plugins.scaffolding.next_term import NewTerm, copy_course, dates_of, weeks_until
from grader.plugins.scaffolding.scaffold import ScaffoldError
from grader.plugins.scaffolding.yaml_edits import edited
from grader.spec.course import Course
from tests.conftest import SmallCourse
from tests.prepared_grader import PreparedGrader

SYDNEY = ZoneInfo("Australia/Sydney")
TODAY = datetime(2026, 1, 10)


def moved(course: SmallCourse, folder: Path, weeks: int = 52) -> NewTerm:
    return copy_course(course.folder, folder, dates_of(course.folder), timedelta(weeks=weeks))


LAYOUTS = [
    "due: {due}\n",
    "due:   '{due}'   # a Monday\n",
    'due: "{due}"\n',
    "due: &when {due} # twice\nlate: {{policy: none, cut_off: *when}}\n",
    "late:  # costs\n  policy: none\n\n  cut_off:   {cut_off}\n# after\ndue: {due}\n",
    "late: {{cut_off: '{cut_off}', policy: none}}\ndue: {due}:30\n",
    "title: due 2025-01-01\ndue:\n  {due}\n",
    "{{due: {due}, late: {{policy: none, cut_off: {cut_off}}}, time_zone: Australia/Sydney}}\n",
]


@given(
    st.sampled_from(LAYOUTS),
    st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1)),
    st.integers(1, 600),
    st.sampled_from(["%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M"]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_only_the_days_change(
    tmp_path_factory: pytest.TempPathFactory, layout: str, due: datetime, weeks: int, form: str, end: str
) -> None:
    by, cut_off = timedelta(weeks=weeks), due + timedelta(days=3)
    zone = "" if "time_zone" in layout else "# the place\ntime_zone: Australia/Sydney # ö 名\n"

    def text(moved_by: timedelta) -> str:
        values = {"due": format(due + moved_by, form), "cut_off": format(cut_off + moved_by, form)}
        return (zone + layout.format(**values)).replace("\n", end)

    file = tmp_path_factory.mktemp("spec") / "assignment.yaml"
    file.write_bytes(text(timedelta(0)).encode())
    dates = list(dates_in(file))
    assert edited(text(timedelta(0)), (each.edit(by) for each in dates)) == text(by)
    assert {each.moved(by).weekday() for each in dates if each.key == "due"} == {due.weekday()}


@given(st.dates(date(2000, 1, 1), date(2090, 1, 1)), st.dates(date(2000, 1, 1), date(2090, 1, 1)))
def test_the_first_due_date_is_in_the_week_that_begins_there(
    tmp_path_factory: pytest.TempPathFactory, due: date, starts: date
) -> None:
    file = tmp_path_factory.mktemp("spec") / "assignment.yaml"
    file.write_text(f"due: {due} 12:00\ntime_zone: Australia/Sydney\n")
    dates = list(dates_in(file))
    first = dates[0].moved(timedelta(weeks=weeks_until(starts, dates))).date()
    assert timedelta(0) <= first - starts < timedelta(weeks=1)
    assert first.weekday() == due.weekday()


def test_the_local_time_stays_when_clocks_change(small_course: SmallCourse, tmp_path: Path) -> None:
    before = Course(small_course.folder).assignment("doubles").due
    for weeks in (26, 52):
        folder = tmp_path / str(weeks)
        moved(small_course, folder, weeks)
        after = Course(folder).assignment("doubles").due
        assert (after.time(), after.weekday()) == (before.time(), before.weekday())
        hours = (after.astimezone(UTC) - before.astimezone(UTC)) - timedelta(weeks=weeks)
        assert hours == timedelta(hours=1 if weeks == 26 else 0)


def test_what_is_about_students_stays_behind(small_course: SmallCourse, tmp_path: Path) -> None:
    small_course.hand_in("z1", "print(1)\n")
    specs = small_course.folder / "test_specs" / "doubles"
    for name in ("roster.csv", "extensions.yaml", "marks.csv", "overrides.yaml", "comments.yaml", "requests.yaml"):
        (specs / name).write_text("z1\n")
        (small_course.folder / name).write_text("z1\n")
    for name in (
        "reports/doubles/results.json",
        "exports/x.csv",
        ".grader/store.sqlite3",
        "reference/__pycache__/a.pyc",
    ):
        (small_course.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (small_course.folder / name).write_text("z1\n")
    (small_course.folder / "grader.pyz").write_text("z1\n")
    made = moved(small_course, tmp_path / "next")
    texts = [path.read_text() for path in (tmp_path / "next").rglob("*") if path.is_file()]
    assert not [text for text in texts if "z1" in text]
    assert [path.name for path in (tmp_path / "next" / "submissions").iterdir()] == []
    assert (tmp_path / "next" / "test_specs" / "doubles" / "expected" / "small.canonical.txt").exists()
    (others,) = (item for item in made.to_look_at if item.startswith("not copied"))
    assert "grader.pyz" in others


TERM = """\
format: 1  # the first
late_days:
  total: 5
  extra:
    # certificates seen
    - {student: z1, days: 1}
    - student: z2
      days: 3  # ill
      reason: illness
  # where they help
  hand_out: best
"""


@pytest.mark.parametrize(
    ("text", "copied"),
    [
        (TERM, "  extra:\n    # certificates seen\n    []  # where they help\n"),
        ("late_days: {extra: [{student: z1, days: 1}], total: 5} # all\n", "late_days: {extra: [], total: 5} # all\n"),
        ("title: no days\n", "title: no days\n"),
    ],
)
def test_late_days_of_single_students_are_left_out(
    text: str, copied: str, small_course: SmallCourse, tmp_path: Path
) -> None:
    (small_course.folder / "term.yaml").write_text(text)
    made = moved(small_course, tmp_path / "next")
    new = (tmp_path / "next" / "term.yaml").read_text()
    if text is TERM:
        assert new == TERM.replace(
            "- {student: z1, days: 1}\n    - student: z2\n      days: 3  # ill\n      reason: illness\n", "[]\n"
        )
    else:
        assert new == copied
    assert ("z1" in text) == ("term.yaml: the late days of single students were left out" in made.to_look_at)


def test_what_names_the_old_year_and_what_students_know_is_told(small_course: SmallCourse, tmp_path: Path) -> None:
    specs = small_course.folder / "test_specs"
    text = (specs / "doubles" / "assignment.yaml").read_text()
    (specs / "doubles" / "assignment.yaml").write_text(text.replace("Doubling", "25T3 (2025), doubling", 1))
    (small_course.folder / "reference" / "old_25t3.txt").write_text("12025 20251\n")
    tests = specs / "doubles" / "tests" / "double.yaml"
    tests.write_text(tests.read_text().replace("{n: [11, 12]}", "{n: [11, 12], seed: [3]}"))
    made = moved(small_course, tmp_path / "next")
    assert "reference/old_25t3.txt is named after the old term" in made.to_look_at
    named = "test_specs/doubles/assignment.yaml:3 names the old term: title: 25T3 (2025), doubling numbers"
    assert named in made.to_look_at
    seeds = "test_specs/doubles/tests/double.yaml has 1 seed that students of the old term may know"
    assert seeds in made.to_look_at
    assert not [item for item in made.to_look_at if "old_25t3.txt:" in item]


@pytest.mark.parametrize(
    ("local", "zone", "doubt"),
    [
        (datetime(2026, 3, 20, 12), SYDNEY, None),
        (datetime(2026, 1, 9, 12), SYDNEY, "is past"),
        (datetime(2026, 12, 25, 12), SYDNEY, "is between 24 December and 1 January"),
        (datetime(2027, 1, 1, 12), SYDNEY, "is between 24 December and 1 January"),
        (datetime(2026, 10, 4, 2, 30), SYDNEY, "is an hour that clocks leave out"),
        (datetime(2026, 4, 5, 2, 30), SYDNEY, "is an hour that comes twice, as clocks go back"),
    ],
)
def test_odd_dates_are_told(local: datetime, zone: ZoneInfo, doubt: str | None) -> None:
    assert doubt_about(local, zone, TODAY) == doubt


def test_nothing_is_overwritten_and_no_copy_lies_in_what_is_copied(small_course: SmallCourse, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "mine").write_text("mine\n")
    inside = small_course.folder / "test_specs" / "next"
    for folder, message in ((tmp_path / "there", "is there already"), (inside, "which is copied")):
        with pytest.raises(ScaffoldError, match=message):
            moved(small_course, folder)
    assert not inside.exists()
    (tmp_path / "empty").mkdir()
    assert moved(small_course, tmp_path / "empty").dates


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("due: 2025-10-27 11:59", "due: soon", "assignment.yaml:10:1: found `soon`; expected a date and time"),
        ("due: 2025-10-27 11:59\n", "", "assignment.yaml:1:1: the key `due` is missing here"),
        ("Australia/Sydney", "Sydney", "assignment.yaml:11:1: found `Sydney`; expected the name of a time zone"),
        ("due: 2025-10-27 11:59", 'due: "2025-1\\x30-27 11:59"', "10:1: expected a date that is written as it is read"),
        ("due: 2025", "due: [2025", "assignment.yaml:"),
    ],
)
def test_a_faulty_date_is_refused_before_anything_is_copied(
    before: str, after: str, message: str, small_course: SmallCourse, tmp_path: Path
) -> None:
    file = small_course.folder / "test_specs" / "doubles" / "assignment.yaml"
    file.write_text(file.read_text().replace(before, after))
    with pytest.raises(SpecError) as caught:
        new_term(tmp_path / "next", course=small_course.folder)
    assert message in str(caught.value)
    assert not (tmp_path / "next").exists()


def test_the_calendar_ends(small_course: SmallCourse, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="cannot be moved so far"):
        new_term(tmp_path / "next", course=small_course.folder, weeks=10**6)


def test_the_command_tells_the_dates(prepared: PreparedGrader, small_course: SmallCourse) -> None:
    made = prepared.run("new", "term", "../next", "--starts", "2036-02-13", folder=small_course.folder)
    assert made.returncode == 0, made.stderr
    assert "doubles: due Mon 2025-10-27 11:59 → Mon 2036-02-18 11:59\nTo look at:\n" in made.stdout
    both = prepared.run("new", "term", "../more", "--weeks", "1", "--starts", "2036-02-13", folder=small_course.folder)
    assert (both.returncode, both.stderr) == (2, "Found --weeks and --starts; expected one of them.\n")
