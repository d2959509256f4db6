"""Diagnoses can be said in another language, all of them and in all their parts."""

import re
from collections.abc import Iterator
from gettext import NullTranslations

import pytest

from grader.judge.judge import judge
from grader.model.judgement import Judgement
from grader.text.language import in_language, speaking
from grader.text.sentence import Sentence
from tests.judge.causes.examples import EXAMPLES
from tests.judge.causes.test_diagnose import FAILURES

_LETTERS_OUTSIDE_FIELDS = re.compile(r"(\{[^}]*\})|[^\W\d_]")
_QUOTED = re.compile(r"`[^`\n]*`")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_WORD = re.compile(r"[A-Za-z]{2,}")


class Foreign(NullTranslations):
    """A language in which every letter is `字`: what can still be read was not said in it."""

    def gettext(self, message: str) -> str:
        return _LETTERS_OUTSIDE_FIELDS.sub(lambda found: found[1] or "字", message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


@pytest.fixture
def foreign(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("grader.text.language._catalogue", lambda _: Foreign())
    with speaking("zh_CN"):
        yield


SAID_BY_OTHERS = {
    "A pile is empty.",
    "A card was dealt twice.",
    "The checker failed: KeyError.",
}
"""The sentences of a checker and an interactor, and one on a checker that is for the instructor."""


def judgements() -> Iterator[tuple[Judgement, str]]:
    """What was found in each session, and all the words that it may quote from it."""
    for failure in FAILURES:
        found = judge(failure.test, failure.expected, failure.outcome)
        yield found, f"{failure.test!r} {failure.expected} {failure.outcome!r}"
    for example in EXAMPLES:
        yield example.shows, ""
        yield example.close, ""


JUDGEMENTS = list(judgements())


def told(judgement: Judgement) -> Iterator[str]:
    if judgement.diagnosis is not None:
        yield judgement.diagnosis.sentence
    yield from judgement.differences
    yield from (note.sentence for note in judgement.notes)


# What a program, a tool, a checker or a person said in the examples, and names in them.
_SAID_BY_OTHERS = re.compile(
    r"signed integer overflow: .* in type 'int'|A pile is empty|A card was dealt twice|hard$|"
    r"The checker failed: KeyError|the lecturer|The handout forbids it|"
    r"numbers are squared|test_two|No\b|None|cards\b|unknown|FEFF"
)


# Names of signals, errors, characters and files.
_NAMES = re.compile(r"SIG[A-Z]+|\w*Error\b.*|\w*Exception\b.*|字\+[0-9A-F]+ \([^)]*\)|\w+\.(?:py|c|java|js|txt|csv)\b")


@pytest.mark.usefixtures("foreign")
def test_nothing_of_a_diagnosis_stays_english() -> None:
    for judgement, session in JUDGEMENTS:
        assert untranslated(judgement, session) == {}


def untranslated(judgement: Judgement, session: str) -> dict[str, list[str]]:
    """The sentences with words that stay English, and are not quoted from the session."""
    words = {}
    for sentence in told(judgement):
        said = _NAMES.sub("", _SAID_BY_OTHERS.sub("", _QUOTED.sub("", in_language(sentence))))
        words[sentence] = [word for word in _WORD.findall(said) if word not in session]
    return {sentence: rest for sentence, rest in words.items() if rest}


def test_every_diagnosis_can_be_said_in_chinese() -> None:
    with speaking("zh_CN"):
        for judgement, _ in JUDGEMENTS:
            for sentence in told(judgement):
                assert isinstance(sentence, Sentence) or sentence in SAID_BY_OTHERS, sentence
                assert _CHINESE.search(in_language(sentence)) or sentence in SAID_BY_OTHERS, sentence
