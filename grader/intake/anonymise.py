"""Makes a copy of a class in which students have numbers, to be shown or handed to researchers.

What a class is known by is replaced in the programs too: ids, addresses and full names everywhere, single names in
comments only, because a name may be a word of a program. What may still tell who wrote a program is listed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import SystemRandom

from pygments.token import Comment, String

from grader.config.yaml_writer import yaml_document
from grader.errors import GraderError
from grader.intake.choose_attempt import FILE_NAME
from grader.model.submission import Submission, SubmittedFile
from grader.text.code_tokens import is_kind, lexer_for

_BETWEEN = re.compile(r"[\s,._]+")
"""What stands between the parts of a name."""


_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


_SUSPICIOUS = re.compile(
    r"(?:\b(?:authors?|copyright|student|name|login|zid|netid|upi)\b\s*[:=]|\b(?:written|made|created)\s+by\b|©|@author)"
    r"(?!\s*student_\d)",
    re.I,
)


_MOST_SHOWN = 120


class AnonymiseError(GraderError):
    """The copy cannot be made."""


@dataclass(frozen=True)
class DoubtfulLine:
    """A line of the copy that may still tell who wrote the program."""

    file: Path
    line: int
    text: str


@dataclass(frozen=True, kw_only=True)
class AnonymousClass:
    """The copy in `folder`: the number of each student, how many words were replaced, and what a person should look at.

    `left_out` are files that are no text, in which anything may stand.
    """

    folder: Path
    numbers: Mapping[str, str]
    replaced: int
    doubtful: Sequence[DoubtfulLine]
    left_out: Sequence[str]


def anonymous_class(submissions: Sequence[Submission], folder: Path) -> AnonymousClass:
    """Write a copy of the submissions, of different students each, to a folder that is not there yet.

    The numbers say nothing of the order in which students were listed. Raises AnonymiseError.
    """
    order = list(range(1, len(submissions) + 1))
    SystemRandom().shuffle(order)
    width = len(str(len(order)))
    pairs = zip(submissions, order, strict=True)
    numbers = {one.student: f"student_{number:0{width}}" for one, number in pairs}
    words = _Words.of(submissions, numbers)
    copy = _Copy(folder=folder, words=words)
    try:
        folder.mkdir(parents=True)
        for submission in submissions:
            copy.write(submission, numbers[submission.student])
    except OSError as error:
        raise AnonymiseError(f"The copy cannot be written: {error}") from None
    return AnonymousClass(
        folder=folder, numbers=numbers, replaced=copy.replaced, doubtful=copy.doubtful, left_out=copy.left_out
    )


@dataclass(frozen=True)
class _Words:
    """What students are known by, in small letters: `anywhere`, or in comments alone; with the number of each."""

    anywhere: Mapping[str, str]
    in_comments: Mapping[str, str]

    @classmethod
    def of(cls, submissions: Sequence[Submission], numbers: Mapping[str, str]) -> "_Words":
        anywhere: dict[str, str] = {}
        in_comments: dict[str, str] = {}
        for submission in submissions:
            number = numbers[submission.student]
            who = submission.identity
            for known in filter(None, (who.id, who.login, who.email, who.name, submission.student)):
                parts = [part.casefold() for part in _BETWEEN.split(known) if part]
                if re.search(r"\d|@", known) or len(parts) > 1:
                    anywhere[known.casefold()] = number
                if "@" not in known:
                    in_comments |= {part: number for part in parts if _is_telling(part)}
                    if len(parts) > 1:
                        anywhere[" ".join(parts)] = anywhere[" ".join(reversed(parts))] = number
                    if not known.isascii():
                        # Some names are written without a space.
                        anywhere["".join(parts)] = number
        return cls(anywhere, {**in_comments, **anywhere})

    def replaced(self, text: str, words: Mapping[str, str]) -> tuple[str, int]:
        """The text with numbers in place of `words`, and how many were replaced."""
        if not words:
            return text, 0
        longest_first = sorted(words, key=len, reverse=True)
        pattern = "|".join(re.escape(word).replace(r"\ ", _BETWEEN.pattern) for word in longest_first)

        def number(found: re.Match[str]) -> str:
            said = found[0].casefold()
            return words.get(said) or words.get(_BETWEEN.sub(" ", said)) or "student"

        return re.subn(rf"(?<![^\W_])(?:{pattern})(?![^\W_])", number, text, flags=re.I)


def _is_telling(part: str) -> bool:
    """Whether a single name is long enough to be looked for."""
    return len(part) >= (3 if part.isascii() else 2) and not part.isdigit()


@dataclass(kw_only=True)
class _Copy:
    folder: Path
    words: _Words
    replaced: int = 0
    doubtful: list[DoubtfulLine] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def write(self, submission: Submission, number: str) -> None:
        """Write the submission of the student with this number."""
        own = self.folder / number
        own.mkdir()
        for file in submission.files:
            self._write(file, own, number)
        if submission.submitted is not None:
            said = {"submitted": f"{submission.submitted:%Y-%m-%d %H:%M:%S}"}
            (own / FILE_NAME).write_text(yaml_document(said), encoding="utf-8")

    def _write(self, file: SubmittedFile, own: Path, number: str) -> None:
        content = file.path.read_bytes()
        name, _ = self.words.replaced(file.name, self.words.anywhere)
        text = _text(content)
        if text is None:
            self.left_out.append(f"{number}/{name}")
            return
        written = "".join(self._pieces(file.name, text))
        target = own / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(written.encode())
        self.doubtful += _doubtful(target, written)

    def _pieces(self, name: str, text: str) -> Iterator[str]:
        for _, kind, piece in lexer_for(name).get_tokens_unprocessed(text):
            says = is_kind(kind, Comment, String.Doc)
            words = self.words.in_comments if says else self.words.anywhere
            changed, count = self.words.replaced(piece, words)
            if says:
                changed, addresses = _ADDRESS.subn("someone@example.org", changed)
                count += addresses
            self.replaced += count
            yield changed


def _text(content: bytes) -> str | None:
    """What stands in a file; None when it is no text."""
    try:
        return None if b"\0" in content else content.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _doubtful(file: Path, text: str) -> Iterator[DoubtfulLine]:
    for number, line in enumerate(text.splitlines(), 1):
        if _SUSPICIOUS.search(line) or _ADDRESS.search(line.replace("someone@example.org", "")):
            yield DoubtfulLine(file, number, line.strip()[:_MOST_SHOWN])
