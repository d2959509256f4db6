"""Finds the students of a class in the list of a platform. Doubtful matches are reported, never guessed."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from grader.model.results import ClassResult, StudentResult
from grader.model.submission import StudentIdentity, Submission
from grader.plugins.platforms.shared.gradebook_file import GradebookFile

_MOODLE_FOLDER = re.compile(r"(?P<name>[^_]+)_(?P<id>\d+)_assign[a-z]+_[a-z]+_?.*", re.DOTALL)


@dataclass(frozen=True)
class StudentPerson:
    """The names of a person, any of which may be empty: ids, each with its kind, email addresses, full names."""

    ids: frozenset[str] = frozenset()
    emails: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()


def comparable_person(
    ids: Iterable[str] = (),
    emails: Iterable[str] = (),
    names: Iterable[str] = (),
    moodle: Iterable[str] = (),
    canvas: Iterable[str] = (),
) -> StudentPerson:
    """Return a person in a form that can be compared.

    `ids` are the school's numbers and accounts, `moodle` and `canvas` the numbers that these platforms give: equal
    numbers of different kinds do not belong to the same person. Case, the form of accents and the number of spaces make
    no difference; `Last, First` is the same as `First Last`.
    """
    names = list(names)
    turned = [" ".join(reversed(name.split(",", 1))) for name in names if "," in name]
    kinds = {"id": ids, "moodle": moodle, "canvas": canvas}
    tagged = frozenset(f"{kind} {text}" for kind, texts in kinds.items() for text in _comparable(texts))
    return StudentPerson(tagged, _comparable(emails), _comparable([*names, *turned]))


def person_of_submission(submission: Submission) -> StudentPerson:
    """Return the person who made a submission.

    If only the name of a student's folder is known, it may be an id of any kind, an email address or a full name, or
    Moodle's name for a student's folder.
    """
    student = submission.student
    moodle = _MOODLE_FOLDER.fullmatch(student)
    if moodle:
        return comparable_person(moodle=[moodle["id"]], names=[moodle["name"]])
    who = submission.identity
    if who in (StudentIdentity(), StudentIdentity(login=student)):
        return comparable_person(ids=[student], emails=[student], names=[student], moodle=[student], canvas=[student])
    return comparable_person(
        ids=_known(who.id, who.login),
        emails=_known(who.email),
        names=_known(who.name),
        moodle=_known(who.moodle),
        canvas=_known(who.canvas),
    )


def _known(*texts: str | None) -> list[str]:
    return [text for text in texts if text]


def _comparable(texts: Iterable[str]) -> frozenset[str]:
    folded = (" ".join(unicodedata.normalize("NFC", text).casefold().split()) for text in texts)
    return frozenset(text for text in folded if text)


@dataclass(frozen=True)
class StudentMatches:
    """The places in the list, by student, and the `problems`: a sentence for each student without a place."""

    places: dict[str, int]
    problems: tuple[str, ...]


def match_students(
    students: Sequence[tuple[str, StudentPerson]], listed: Sequence[StudentPerson], where: str = "the sheet"
) -> StudentMatches:
    """Match by id, or else by email address, or else by full name; if two fit equally well, match neither.

    `where` describes the list in sentences.
    """
    index = _index(listed)
    places: dict[str, int] = {}
    problems = []
    for student, who in students:
        fitting = next((rows for rows in _candidates(who, index) if rows), set())
        if len(fitting) == 1:
            places[student] = next(iter(fitting))
        else:
            missing = f"is not in {where}; add an id, email address or name from there to roster.csv"
            problems.append(f"{student}: {f'{len(fitting)} rows of {where} fit' if fitting else missing}")
    taken = defaultdict(list)
    for student, place in places.items():
        taken[place].append(student)
    for rivals in taken.values():
        if len(rivals) > 1:
            problems += [f"{student}: the same row of {where} as {_others(student, rivals)}" for student in rivals]
            for student in rivals:
                del places[student]
    return StudentMatches(places, tuple(problems))


def match_class(graded: ClassResult, listed: Sequence[StudentPerson], where: str = "the sheet") -> StudentMatches:
    """Match the students of a class with the people in the list of a platform, as `match_students` does."""
    students = [(row.student, person_of_submission(row.graded.submission)) for row in graded.rows]
    return match_students(students, listed, where)


def listed_persons(sheet: GradebookFile, ids: Sequence[str], email: str) -> list[StudentPerson]:
    """Return the persons in the rows below the header, from the columns with ids, an email address and names.

    Some platforms put `#` before ids.
    """
    return [
        comparable_person(
            ids=[sheet.cell(record, sheet.column(name)).removeprefix("#") for name in ids],
            emails=[sheet.cell(record, sheet.column(email))],
            names=[" ".join(sheet.cell(record, sheet.column(name)) for name in ("First Name", "Last Name"))],
        )
        for record in range(1, len(sheet.records))
    ]


def matched_rows(graded: ClassResult, matches: StudentMatches, first: int = 1) -> Iterator[tuple[StudentResult, int]]:
    """Yield the students who are in a sheet, each with the record, counted from `first` for the first student."""
    for row in graded.rows:
        if row.student in matches.places:
            yield row, matches.places[row.student] + first


def unmatched_rows_note(
    sheet: GradebookFile, matches: StudentMatches, name_in: Callable[[int], str], first: int = 1
) -> tuple[str, ...]:
    """Note the rows of a sheet, from `first` on, that match no student of the class; `name_in` names a row."""
    matched = {place + first for place in matches.places.values()}
    rows = (row for row in range(first, len(sheet.records)) if row not in matched and any(sheet.records[row].cells))
    names = "; ".join(map(name_in, rows))
    return (f"no submission of these here, rows left as they were: {names}",) if names else ()


_Index = dict[tuple[str, str], set[int]]


def _index(listed: Sequence[StudentPerson]) -> _Index:
    index: _Index = defaultdict(set)
    for place, who in enumerate(listed):
        for kind, texts in _kinds(who):
            for text in texts:
                index[kind, text].add(place)
    return index


def _candidates(who: StudentPerson, index: _Index) -> list[set[int]]:
    return [{place for text in texts for place in index.get((kind, text), ())} for kind, texts in _kinds(who)]


def _kinds(who: StudentPerson) -> tuple[tuple[str, frozenset[str]], ...]:
    return (("id", who.ids), ("email", who.emails), ("name", who.names))


def _others(student: str, rivals: Sequence[str]) -> str:
    return ", ".join(rival for rival in rivals if rival != student)
