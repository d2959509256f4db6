"""Hides the authors of submissions by replacing each student with a label in copies of programs and in texts."""

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from grader.files.source_text import NoSourceError, source_text
from grader.intake.identity_words import IdentityWords
from grader.model.submission import StudentIdentity, Submission, SubmittedFile

_NO_TEXT = re.compile(r"(<textarea.*?</textarea>|<script.*?</script>|<[^>]*>)", re.S)
"""The parts of a page that readers do not see, or that a form sends back."""


class Nameless:
    """A class without names; `labels` maps students to labels, and copies of programs are written to `folder`."""

    def __init__(self, submissions: Sequence[Submission], labels: Mapping[str, str], folder: Path) -> None:
        self._labels = labels
        self._words = IdentityWords.of(submissions, labels)
        self._folder = folder

    def submission(self, submission: Submission) -> Submission:
        """Return a submission under its student's label, without anything that reveals the author."""
        label = self._labels[submission.student]
        own_folder = self._folder / label.replace(" ", "-") / str(submission.attempt)
        return replace(
            submission,
            student=label,
            identity=StudentIdentity(),
            roster={},
            source="",
            notes=(),
            files=tuple(self._copy(file, own_folder / str(number)) for number, file in enumerate(submission.files)),
            unused=tuple(map(self.prose, submission.unused)),
            refused={name: self.prose(reason) for name, reason in submission.refused.items()},
        )

    def prose(self, text: str) -> str:
        """Return a string that is not a program, with labels instead of names."""
        return self._words.in_comments.replaced(text)[0]

    def plain(self, text: str) -> str:
        """Return any text, with labels instead of full names, ids and email addresses."""
        return self._words.anywhere.replaced(text)[0]

    def page(self, page: str) -> str:
        """Return a page with labels instead of full names, ids and email addresses."""
        pieces = _NO_TEXT.split(page)
        pieces[::2] = map(self._page_text, pieces[::2])
        return "".join(pieces)

    def _page_text(self, text: str) -> str:
        replaced, count = self._words.anywhere.replaced(html.unescape(text))
        return html.escape(replaced) if count else text

    def _copy(self, file: SubmittedFile, target: Path) -> SubmittedFile:
        """Copy a file without names; a file that pages do not show is left unchanged."""
        try:
            text = source_text(file.path)
        except NoSourceError:
            return SubmittedFile(self.plain(file.name), file.path)
        target.parent.mkdir(parents=True, exist_ok=True)
        nameless, _ = self._words.in_program(file.name, text)
        target.write_bytes(nameless.encode("utf-8", "surrogateescape"))
        return SubmittedFile(self.plain(file.name), target)
