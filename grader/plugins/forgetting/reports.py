"""Reports on classes that name a student."""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from grader.plugins.forgetting.class_files import rows_of, without_notes, without_rows
from grader.plugins.forgetting.person import Person
from grader.plugins.forgetting.removal import Found, Remainder, Removal, removed_path, rewritten_file
from grader.reports.probing import probing_file, read_probing, write_probing


def in_class_reports(reports: Path, person: Person) -> Iterator[Found]:
    """Yield the reports on classes with the student; pages are removed together, because they link to each other."""
    for assignment in sorted(person.assignments):
        for name in (assignment, f"{assignment}.partial"):
            folder, pages = reports / name, reports / "html" / name
            if pages.is_dir():
                yield removed_path(pages, "all pages; `grader report` makes new ones")
            paths = (
                folder / "students" / f"{person.student}.txt",
                folder / "transcripts" / person.student,
                folder / ".new",
            )
            yield from (removed_path(path, "feedback and output") for path in paths if path.exists())
            yield from _in_results(folder, person)
        yield from _in_probing(probing_file(reports, assignment), person)


def _in_results(folder: Path, person: Person) -> Iterator[Found]:
    table, results = folder / "results.csv", folder / "results.json"
    if table.is_file():
        before = table.read_bytes()
        after = without_notes(without_rows(before, rows_of(before, person.student)), person.is_named_in)
        if after != before:
            yield rewritten_file(table, "a row, and notes", before, after)
    if results.is_file():
        before = results.read_bytes()
        content = json.loads(before)
        rows, notes = content["submissions"], content["notes"]
        content["submissions"] = [row for row in rows if row["student"] != person.student]
        content["not_graded"] = [name for name in content["not_graded"] if name != person.student]
        content["notes"] = [note for note in notes if not person.is_named_in(note)]
        for row in content["submissions"]:
            # The notes on a team's submission name all its members.
            row["notes"] = [note for note in row["notes"] if not person.is_named_in(note)]
            if row["source"] and person.is_named_in(row["source"]):
                yield Remainder(f"{results} names {person.student} as the folder of {row['student']}; grade again")
        after = (json.dumps(content, indent=1) + "\n").encode()
        if content != json.loads(before):
            yield rewritten_file(results, f"a submission of {len(rows)}, and notes on it", before, after)


def _in_probing(file: Path, person: Person) -> Iterator[Found]:
    probed = read_probing(file)
    remaining = {key: differs for key, differs in probed.differs.items() if not person.is_own(key)} if probed else {}
    if probed and remaining != probed.differs:
        yield Removal(str(file), "findings", partial(write_probing, file, replace(probed, differs=remaining)))
