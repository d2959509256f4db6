"""Writes a made-up class in the format of each platform, and in the formats that instructors use."""

import io
import os
import re
import subprocess
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeAlias

import yaml

_TEAM = 7


@dataclass(frozen=True)
class Attempt:
    """A program and the time when it was submitted."""

    submitted: datetime
    source: str


@dataclass(frozen=True)
class Student:
    """A student as known to the platforms."""

    id: str
    name: str
    sortable_name: str
    email: str
    login: str
    moodle: str
    canvas: str
    attempts: tuple[Attempt, ...]


Tree: TypeAlias = Iterator[tuple[str, Attempt]]
"""The files of a download: the name of each file, with `/` between folders, and its content."""

Writer = Callable[[Path, str, Sequence[Student], datetime], Path]
Lister = Callable[[str, Sequence[Student], datetime], Tree]


def _folders(program: str, students: Sequence[Student], _: datetime) -> Tree:
    yield from ((f"{one.id}/{program}", one.attempts[-1]) for one in students if one.attempts)


def _files(program: str, students: Sequence[Student], _: datetime) -> Tree:
    yield from ((f"{one.id}_{program}", one.attempts[-1]) for one in students if one.attempts)


def _attempts(program: str, students: Sequence[Student], _: datetime) -> Tree:
    for one in students:
        for number, attempt in enumerate(one.attempts, 1):
            yield f"{one.id}/attempt-{number}/{program}", attempt


def _moodle(program: str, students: Sequence[Student], _: datetime) -> Tree:
    for one in students:
        if one.attempts:
            yield f"{_clean(one.name)}_{one.moodle}_assignsubmission_file_/{program}", one.attempts[-1]


def _moodle_flat(program: str, students: Sequence[Student], _: datetime) -> Tree:
    for one in students:
        if one.attempts:
            yield f"{_clean(one.name)}_{one.moodle}_assignsubmission_file_{program}", one.attempts[-1]


def _canvas(program: str, students: Sequence[Student], due: datetime) -> Tree:
    """Yield the files as Canvas names them: resubmissions get a number; the files have the time of the download."""
    for index, one in enumerate(students):
        if one.attempts:
            newest = one.attempts[-1]
            again = len(one.attempts) - 1
            stem, _, ending = program.rpartition(".")
            name = f"{stem}-{again}.{ending}" if again else program
            late = "_LATE" if newest.submitted > due else ""
            condensed = re.sub(r"\W", "", one.sortable_name).lower()
            shown = f"{condensed}{late}_{one.canvas}_{900_000 + index}_{name}"
            yield shown, Attempt(due + timedelta(days=9), newest.source)


def _blackboard(program: str, students: Sequence[Student], _: datetime) -> Tree:
    """Yield every attempt, each with a receipt."""
    for one in students:
        for attempt in one.attempts:
            begin = f"Lab_1_{one.login}_attempt_{attempt.submitted:%Y-%m-%d-%H-%M-%S}"
            yield f"{begin}_{program}", attempt
            yield f"{begin}.txt", Attempt(attempt.submitted, f"Name: {one.name} ({one.login})\nAssignment: Lab_1\n")


def _clean(name: str) -> str:
    return re.sub(r'[/\\:*?"<>|]', "", name)


def _as_folder(lister: Lister) -> Writer:
    def write(folder: Path, program: str, students: Sequence[Student], due: datetime) -> Path:
        target = folder / "submissions"
        target.mkdir()
        for name, attempt in lister(program, students, due):
            _write(target / name, attempt)
        return target

    return write


def _as_zip(lister: Lister) -> Writer:
    def write(folder: Path, program: str, students: Sequence[Student], due: datetime) -> Path:
        target = folder / "submissions.zip"
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, attempt in lister(program, students, due):
                archive.writestr(_zip_entry(name, attempt), attempt.source)
        return target

    return write


def _as_tar(lister: Lister) -> Writer:
    def write(folder: Path, program: str, students: Sequence[Student], due: datetime) -> Path:
        target = folder / "submissions.tar.gz"
        with tarfile.open(target, "w:gz") as archive:
            for name, attempt in lister(program, students, due):
                content = attempt.source.encode()
                entry = tarfile.TarInfo(f"./submissions/{name}")
                entry.size, entry.mtime = len(content), int(attempt.submitted.timestamp())
                archive.addfile(entry, io.BytesIO(content))
        return target

    return write


def _archive_each(folder: Path, program: str, students: Sequence[Student], _: datetime) -> Path:
    target = folder / "submissions"
    target.mkdir()
    for one in students:
        if one.attempts:
            newest = one.attempts[-1]
            with zipfile.ZipFile(target / f"{one.id}.zip", "w") as archive:
                archive.writestr(_zip_entry(f"work/{program}", newest), newest.source)
            _set_time(target / f"{one.id}.zip", newest.submitted)
    return target


def _gradescope(folder: Path, program: str, students: Sequence[Student], _: datetime) -> Path:
    """Write an export in which every seventh student submits together with the next one, if both submit."""
    target = folder / "submissions" / "assignment_42_export"
    target.mkdir(parents=True)
    metadata: dict[str, object] = {}
    for number, team in enumerate(teams(students)):
        newest = team[0].attempts[-1]
        _write(target / f"submission_{number}" / program, newest)
        metadata[f"submission_{number}"] = {
            ":submitters": [{":name": one.name, ":sid": one.id, ":email": one.email} for one in team],
            ":created_at": newest.submitted.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.000000000 Z"),
            ":score": 0.0,
        }
    text = yaml.dump(metadata, allow_unicode=True, sort_keys=False)
    (target / "submission_metadata.yml").write_text(f"---\n{text}", encoding="utf-8")
    return target.parent


def teams(students: Sequence[Student]) -> Iterator[tuple[Student, ...]]:
    """Yield the teams that submit together on Gradescope; they submit the program of their first member."""
    there = [one for one in students if one.attempts]
    index = 0
    while index < len(there):
        size = 2 if index % _TEAM == 0 else 1
        yield tuple(there[index : index + size])
        index += size


def _git(folder: Path, program: str, students: Sequence[Student], _: datetime) -> Path:
    """Write clones like the ones that GitHub Classroom makes: every attempt is a commit."""
    target = folder / "totals-submissions"
    for one in students:
        git = target / f"totals-{one.login}" / ".git"
        for name in ("objects", "refs"):
            (git / name).mkdir(parents=True)
        (git / "HEAD").write_text("ref: refs/heads/main\n")
        if one.attempts:
            commits = b"".join(_commit(program, attempt) for attempt in one.attempts)
            command = ["git", f"--git-dir={git}", "fast-import", "--quiet"]
            subprocess.run(command, input=commits, check=True, capture_output=True)
            _write(git.parent / program, one.attempts[-1])
    return target


def _commit(program: str, attempt: Attempt) -> bytes:
    content = attempt.source.encode()
    time = f"{int(attempt.submitted.timestamp())} +0000"
    return (
        f"commit refs/heads/main\ncommitter A Student <student@school.example> {time}\ndata 4\nwork\n"
        f"M 100644 inline {program}\ndata {len(content)}\n"
    ).encode() + content


def _zip_entry(name: str, attempt: Attempt) -> zipfile.ZipInfo:
    time = attempt.submitted
    entry = zipfile.ZipInfo(name, (time.year, time.month, time.day, time.hour, time.minute, time.second))
    entry.external_attr = 0o644 << 16
    return entry


def _write(file: Path, attempt: Attempt) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(attempt.source, encoding="utf-8")
    _set_time(file, attempt.submitted)


def _set_time(file: Path, time: datetime) -> None:
    os.utime(file, (time.timestamp(), time.timestamp()))


SHAPES: dict[str, Writer] = {
    "folders": _as_folder(_folders),
    "folders-zip": _as_zip(_folders),
    "folders-tar": _as_tar(_folders),
    "files": _as_folder(_files),
    "files-zip": _as_zip(_files),
    "archives": _archive_each,
    "attempts": _as_folder(_attempts),
    "moodle": _as_folder(_moodle),
    "moodle-flat": _as_folder(_moodle_flat),
    "moodle-zip": _as_zip(_moodle),
    "blackboard": _as_folder(_blackboard),
    "blackboard-zip": _as_zip(_blackboard),
    "canvas": _as_folder(_canvas),
    "canvas-zip": _as_zip(_canvas),
    "gradescope": _gradescope,
    "git": _git,
}
"""The functions that write a class, by format."""
