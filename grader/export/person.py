"""Who a student is, to find the same student in a sheet of a platform."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from grader.intake.identity import UNIDENTIFIED, Identity
from grader.intake.submission import Submission

_MOODLE_FOLDER = re.compile(r"(?P<name>[^_]+)_(?P<id>\d+)_assign[a-z]+_[a-z]+_?.*", re.DOTALL)


@dataclass(frozen=True)
class Person:
    """What a person is known by, any of which may be empty: ids, each with its kind, email addresses, full names."""

    ids: frozenset[str] = frozenset()
    emails: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()


def person(
    ids: Iterable[str] = (),
    emails: Iterable[str] = (),
    names: Iterable[str] = (),
    moodle: Iterable[str] = (),
    canvas: Iterable[str] = (),
) -> Person:
    """A person in the form in which persons are compared.

    `ids` are the school's numbers and accounts, `moodle` and `canvas` the numbers that these platforms give: equal
    numbers of different kinds are not the same person's. Case, the form of accents and the number of blanks make no
    difference; `Last, First` is `First Last` too.
    """
    names = list(names)
    turned = [" ".join(reversed(name.split(",", 1))) for name in names if "," in name]
    kinds = {"id": ids, "moodle": moodle, "canvas": canvas}
    tagged = frozenset(f"{kind} {text}" for kind, texts in kinds.items() for text in _comparable(texts))
    return Person(tagged, _comparable(emails), _comparable([*names, *turned]))


def person_of(submission: Submission) -> Person:
    """The person who handed in a submission.

    If nothing is known of a student but what the folder is called, that may be an id of any kind, an email address or
    a full name, or what Moodle calls the folder of a student.
    """
    known = submission.student
    moodle = _MOODLE_FOLDER.fullmatch(known)
    if moodle:
        return person(moodle=[moodle["id"]], names=[moodle["name"]])
    who = submission.identity
    if who in (UNIDENTIFIED, Identity(login=known)):
        return person(ids=[known], emails=[known], names=[known], moodle=[known], canvas=[known])
    return person(
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
