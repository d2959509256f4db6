"""Replaces words that identify students: names, ids, logins and email addresses.

Ids, email addresses and full names are replaced everywhere, and single names only in comments, because a name may also
be a word in a program.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pygments.token import Comment, String

from grader.model.submission import Submission
from grader.text.code_tokens import is_kind, lexed_pieces, lexer_for

ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
SOMEONE = "someone@example.org"
"""The replacement for every email address in a comment."""


_BETWEEN = re.compile(r"[\s,._]+")
"""The separators between the parts of a name."""


_WORD = re.compile(r"[^\W_]+")
_SHORTEST_ID = 5
"""The minimum length; a shorter word, such as a team number, may be a number or variable in any program."""


class WordReplacer:
    """Replaces words with labels, ignoring case."""

    def __init__(self, labels: Mapping[str, str]) -> None:
        """Take the label for each word. The parts of a word may be separated by other characters in the text."""
        self._by_beginning: dict[str, list[tuple[re.Pattern[str], str]]] = {}
        spelled = {spelling: label for word, label in labels.items() for spelling in _spellings(word)}
        for word in sorted(spelled, key=len, reverse=True):
            if beginning := _WORD.search(word):
                literal = re.escape(word[beginning.start() :]).replace(r"\ ", _BETWEEN.pattern)
                pattern = re.compile(rf"{literal}(?![^\W_])", re.I)
                self._by_beginning.setdefault(_folded(beginning[0]), []).append((pattern, spelled[word]))

    def replaced(self, text: str) -> tuple[str, int]:
        """Return the text with labels, and how many words were replaced."""
        pieces, end = [], 0
        for start, stop, label in self._hits(text):
            if start >= end:
                pieces += [text[end:start], label]
                end = stop
        return "".join((*pieces, text[end:])), len(pieces) // 2

    def _hits(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield the start, the end and the label of each word to replace."""
        for word in _WORD.finditer(text):
            for pattern, label in self._by_beginning.get(_folded(word[0]), ()):
                if hit := pattern.match(text, word.start()):
                    # Line numbers must not change.
                    yield hit.start(), hit.end(), label + "\n" * hit[0].count("\n")
                    break


def _spellings(word: str) -> set[str]:
    """Return spellings of a word that differ in more than case, such as `gross` for `Groß`, or decomposed accents."""
    spellings = {word, word.casefold(), _folded(word)}
    return {unicodedata.normalize(form, spelling) for form in ("NFC", "NFD") for spelling in spellings}


def _folded(word: str) -> str:
    """Return a word in lower case without accents."""
    if word.isascii():
        return word.lower()
    return "".join(sign for sign in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(sign))


@dataclass(frozen=True)
class IdentityWords:
    """Replacements of words `anywhere` in a string, and of other words only `in_comments`."""

    anywhere: WordReplacer
    in_comments: WordReplacer

    @classmethod
    def of(cls, submissions: Sequence[Submission], labels: Mapping[str, str]) -> "IdentityWords":
        """Return the replacements for the words in these submissions, using each student's label."""
        anywhere: dict[str, str] = {}
        in_comments: dict[str, str] = {}
        for submission in submissions:
            label, who = labels[submission.student], submission.identity
            for word in filter(None, (who.id, who.login, who.email, who.name, submission.student)):
                parts = [part for part in _BETWEEN.split(word) if part]
                if "@" in word or len(parts) > 1 or (len(word) >= _SHORTEST_ID and re.search(r"\d", word)):
                    anywhere[word] = label
                if "@" not in word:
                    in_comments |= {part: label for part in parts if _is_telling(part)}
                    if len(parts) > 1:
                        anywhere[" ".join(parts)] = anywhere[" ".join(reversed(parts))] = label
                    if not word.isascii():
                        # Some names are written without spaces.
                        anywhere["".join(parts)] = label
        return cls(WordReplacer(anywhere), WordReplacer({**in_comments, **anywhere}))

    def in_program(self, name: str, text: str) -> tuple[str, int]:
        """Return the text of a program with labels, and how many words were replaced."""
        pieces, total = [], 0
        lexer = lexer_for(name)
        tokens = (token for piece in lexed_pieces(name, text) for token in lexer.get_tokens_unprocessed(piece))
        for _, kind, token in tokens:
            is_comment = is_kind(kind, Comment, String.Doc)
            changed, count = (self.in_comments if is_comment else self.anywhere).replaced(token)
            if is_comment:
                changed, addresses = ADDRESS.subn(SOMEONE, changed)
                count += addresses
            pieces.append(changed)
            total += count
        return "".join(pieces), total


def _is_telling(part: str) -> bool:
    """Return whether a single name is long enough to search for."""
    return len(part) >= (3 if part.isascii() else 2) and not part.isdigit()
