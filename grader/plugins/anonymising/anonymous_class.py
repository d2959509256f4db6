"""Makes a copy of a class, with numbers instead of names, that can be shared with researchers.

Identifying words in the programs are replaced too: ids, email addresses and full names everywhere, but single names
only in comments, because in code they could be identifiers. Lines that may still reveal the author of a program are
listed.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import SystemRandom

from grader.class_files.all_files import ClassFiles
from grader.config.yaml_writer import yaml_document
from grader.errors import GraderError, reported_as
from grader.intake.choose_attempt import FILE_NAME
from grader.intake.identity_words import ADDRESS, SOMEONE, IdentityWords
from grader.model.submission import Submission, SubmittedFile
from grader.plugins.anonymising.class_files import write_class_files

_SUSPICIOUS = re.compile(
    r"(?:\b(?:authors?|copyright|student|name|login|zid|netid|upi)\b\s*[:=]|\b(?:written|made|created)\s+by\b|©|@author)"
    r"(?!\s*student_\d)",
    re.I,
)

_MAX_SHOWN = 120
# A shorter id or name may be any word.
_SHORTEST_WORD = 3
# In 1990, because a file time before 2000 is not mistaken for the time of submission.
_UNKNOWN_TIME = 631_152_000


class AnonymiseError(GraderError):
    """The copy cannot be made."""


@dataclass(frozen=True)
class DoubtfulLine:
    """A line of the copy that may still reveal who wrote the program."""

    file: Path
    line: int
    text: str


@dataclass(frozen=True, kw_only=True)
class AnonymousClass:
    """The copy in `folder`: each student's number, the number of replaced words, and the lines to check by hand.

    `left_out` lists the binary files, which could contain anything. `class_files` lists the files about the class that
    were copied without free text, and `left_behind` the ones that were not copied.
    """

    folder: Path
    numbers: Mapping[str, str]
    replaced: int
    doubtful: Sequence[DoubtfulLine]
    left_out: Sequence[str]
    class_files: Sequence[str] = ()
    left_behind: Sequence[str] = ()


def anonymous_class(submissions: Sequence[Submission], files: ClassFiles, folder: Path) -> AnonymousClass:
    """Write a copy of the submissions, and of the decisions about students, to a new folder.

    If a student has several submissions, they are copied as attempts. The numbers reveal nothing about the order in
    which students were listed. Raises AnonymiseError.
    """
    attempts: dict[str, list[Submission]] = {}
    for submission in submissions:
        attempts.setdefault(submission.student, []).append(submission)
    order = list(range(1, len(attempts) + 1))
    SystemRandom().shuffle(order)
    width = len(str(len(order)))
    numbers = {student: f"student_{number:0{width}}" for student, number in zip(attempts, order, strict=True)}
    words = IdentityWords.of(submissions, numbers)
    copy = _Copy(folder=folder, words=words)
    with reported_as(AnonymiseError, "The copy cannot be written"):
        folder.mkdir(parents=True)
        for student, handed_in in attempts.items():
            for submission in handed_in:
                place = numbers[student] if len(handed_in) == 1 else f"{numbers[student]}/attempt-{submission.attempt}"
                if submission.source:
                    copy.write(submission, place)
        written = write_class_files(folder, files, attempts, numbers)
    return AnonymousClass(
        folder=folder,
        numbers=numbers,
        replaced=copy.replaced,
        doubtful=copy.doubtful,
        left_out=copy.left_out,
        class_files=written.names,
        left_behind=written.left_behind,
    )


@dataclass(kw_only=True)
class _Copy:
    folder: Path
    words: IdentityWords
    replaced: int = 0
    doubtful: list[DoubtfulLine] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def write(self, submission: Submission, number: str) -> None:
        """Write a submission to a folder named after the student's number, plus the attempt number if necessary."""
        student_folder = self.folder / number
        student_folder.mkdir(parents=True)
        for file in submission.files:
            self._write(file, student_folder, number, submission)
        if submission.submitted is not None:
            fields = {"submitted": f"{submission.submitted:%Y-%m-%d %H:%M:%S}"}
            (student_folder / FILE_NAME).write_text(yaml_document(fields), encoding="utf-8")
            return
        for path in student_folder.rglob("*"):
            os.utime(path, (_UNKNOWN_TIME, _UNKNOWN_TIME))

    def _write(self, file: SubmittedFile, student_folder: Path, number: str, submission: Submission) -> None:
        name, _ = self.words.anywhere.replaced(file.name)
        text = _text(file.path.read_bytes())
        if text is None:
            self.left_out.append(f"{number}/{name}")
            return
        written, count = self.words.in_program(file.name, text)
        self.replaced += count
        target = student_folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(written.encode())
        self.doubtful += _doubtful_lines(target, written, _words_of(submission))


def _text(content: bytes) -> str | None:
    """Return the text of a file, or None if it is not text."""
    try:
        return None if b"\0" in content else content.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _words_of(submission: Submission) -> re.Pattern[str]:
    """Return a pattern for the id and login of the author, in any case, and for names as they are usually written."""
    who = submission.identity
    ids = [word for word in (who.id, who.login, submission.student) if word and _is_telling(word)]
    names = [part for part in re.split(r"[^\w'-]+", who.name or "") if _is_telling(part)]
    words = [*(f"(?i:{re.escape(word)})" for word in ids), *map(re.escape, names)]
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(words)})(?![^\W_])" if words else r"(?!)")


def _is_telling(word: str) -> bool:
    return len(word) >= _SHORTEST_WORD and not word.isdigit()


def _doubtful_lines(file: Path, text: str, own: re.Pattern[str]) -> Iterator[DoubtfulLine]:
    for number, line in enumerate(text.splitlines(), 1):
        if _SUSPICIOUS.search(line) or ADDRESS.search(line.replace(SOMEONE, "")) or own.search(line):
            yield DoubtfulLine(file, number, line.strip()[:_MAX_SHOWN])
