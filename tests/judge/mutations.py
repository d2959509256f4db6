"""Ways to spoil a right session, one per cause, and all right sessions that the assignments have."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from grader.expected.transcripts import load_transcripts
from grader.model.expectation import FromReference
from grader.model.interaction import Dialogue, ReplSession, typed_lines
from grader.model.outcome import Outcome, Termination, TypedLine
from grader.model.test import ComparisonPolicy, Test
from grader.spec.course import Course
from grader.text.escape import LOOK_ALIKES
from tests import ROOT

_PROMPT = r"(?:function: |^ {7}|>>> |to stop:|\(DFTRHQ\): |four suits\) |for help\) )"
_WORD = re.compile(r"[^\W\d_]{3,}")
_NUMBER = re.compile(r"(?<![\w.-])\d{1,9}(?![\w.♠♥♦♣])")
_CARD = re.compile("[\U0001f0a0-\U0001f0ff]|(?:10|[2-9AJQK])[♠♥♦♣]|(?<=[ \t])(?:10|[2-9AJQK])[SHDC]\\b")
_EMOJI = re.compile("[\u2639\u263a\U0001f44d\U0001f44e\U0001f600-\U0001f64f]")


@dataclass(frozen=True)
class Line:
    """A line of a transcript: what was printed, and what was typed behind it, None if nothing was."""

    printed: str
    typed: str | None = None

    @property
    def text(self) -> str:
        return self.printed + (self.typed or "")


@dataclass(frozen=True)
class Session:
    """A session by lines. Each has a line end, the last one only if `ended`."""

    test: Test
    lines: tuple[Line, ...]
    ended: bool = True
    exit_code: int = 0

    @property
    def transcript(self) -> str:
        return "\n".join(line.text for line in self.lines) + "\n" * (self.ended and bool(self.lines))

    @property
    def outcome(self) -> Outcome:
        """The session as it was held."""
        typed, offset = [], 0
        for line in self.lines:
            if line.typed is not None:
                typed.append(TypedLine(offset + len(line.printed), line.typed))
            offset += len(line.text) + 1
        unsent = max(len(typed_lines(self.test.interaction)) - len(typed), 0)
        return Outcome(
            transcript=self.transcript,
            typed=tuple(typed),
            ending=Termination.EXITED,
            exit_code=self.exit_code,
            signal=None,
            unsent=unsent,
            wall_seconds=0.1,
            cpu_seconds=0.1,
        )

    def places(self, fits: Callable[[str], object], *, typed: bool = False) -> list[int]:
        """The lines in which something was typed, or those in which nothing was, whose printed part `fits`."""
        return [
            index
            for index, line in enumerate(self.lines)
            if (line.typed is not None) == typed and not line.printed.startswith(">>>") and fits(line.printed)
        ]

    def put(self, index: int, *lines: str | Line) -> "Session":
        """The session with other lines in the place of one."""
        put = tuple(Line(line) if isinstance(line, str) else line for line in lines)
        return replace(self, lines=(*self.lines[:index], *put, *self.lines[index + 1 :]))

    def rewritten(self, rewrite: Callable[[str], str]) -> "Session":
        """The session with everything printed rewritten, but for Python's prompts."""
        lines = (
            line if line.printed.startswith(">>>") else replace(line, printed=rewrite(line.printed))
            for line in self.lines
        )
        return replace(self, lines=tuple(lines))


def session(test: Test, transcript: str) -> Session:
    """The session that an expected transcript tells of."""
    lines: list[Line] = []
    position = 0
    for typed in typed_lines(test.interaction):
        found = re.compile(f"{_PROMPT}{re.escape(typed)}\n", re.M).search(transcript, position)
        assert found is not None, (test.id, typed)
        *before, line = transcript[position : found.end() - 1].split("\n")
        lines += [*map(Line, before), Line(line[: len(line) - len(typed)], typed)]
        position = found.end()
    rest = transcript[position:].split("\n")
    ended = rest[-1] == ""
    return Session(test, (*lines, *map(Line, rest[:-1] if ended else rest)), ended)


def sessions() -> Iterator[Session]:
    """One per expected transcript of all assignments, in an order that does not change; no function tests."""
    for assignment in Course(ROOT).assignments():
        tests = [
            replace(test, comparison=ComparisonPolicy())
            for test in assignment.tests
            if isinstance(test.interaction, Dialogue | ReplSession)
            and not test.checker
            and isinstance(test.expectation, FromReference)
            and not test.may_leave_input
        ]
        transcripts = load_transcripts(assignment, tests)
        for test in tests:
            for variant in assignment.program_of[test.program].variants:
                yield session(test, transcripts.text(test, variant))


Mutation = Callable[[Session, Random], Session | tuple[Session, Session] | None]
"""Spoils a session; None when it has nothing to be spoiled. Two when the right one must be changed too."""


def _in_a_line(fits: Callable[[str], object], change: Callable[[str, Random], str]) -> Mutation:
    """Change one line in which nothing was typed."""

    def mutate(right: Session, chance: Random) -> Session | None:
        places = right.places(fits)
        if not places:
            return None
        index = chance.choice(places)
        return right.put(index, change(right.lines[index].printed, chance))

    return mutate


def _a_match(pattern: re.Pattern[str], change: Callable[[str, Random], str]) -> Mutation:
    """Change one match of a pattern in one line in which nothing was typed."""

    def changed(line: str, chance: Random) -> str:
        match = chance.choice(list(pattern.finditer(line)))
        return line[: match.start()] + change(match[0], chance) + line[match.end() :]

    return _in_a_line(pattern.search, changed)


def _everywhere(rewrite: Callable[[str], str]) -> Mutation:
    def mutate(right: Session, _: Random) -> Session | None:
        spoiled = right.rewritten(rewrite)
        return spoiled if spoiled != right else None

    return mutate


def _where_nothing_is_typed(rewrite: Callable[[str], str]) -> Mutation:
    def mutate(right: Session, _: Random) -> Session | None:
        lines = (
            line if line.typed is not None or line.printed.startswith(">>>") else Line(rewrite(line.text))
            for line in right.lines
        )
        spoiled = replace(right, lines=tuple(lines))
        return spoiled if spoiled != right else None

    return mutate


def _lines(
    change: Callable[[Session, int, Random], Session | None], fits: Callable[[str], object] = str.strip
) -> Mutation:
    """Change the lines around one in which nothing was typed and that is not the last."""

    def mutate(right: Session, chance: Random) -> Session | None:
        places = [index for index in right.places(fits) if index < len(right.lines) - 2]
        return change(right, chance.choice(places), chance) if places else None

    return mutate


def _swapped(right: Session, index: int, _: Random) -> Session | None:
    one, other = right.lines[index], right.lines[index + 1]
    if one == other or other.typed is not None or not other.text.strip() or other.text.startswith(">>>"):
        return None
    return right.put(index, other).put(index + 1, one)


def _swapped_far(right: Session, index: int, chance: Random) -> Session | None:
    end = next((at for at in range(index, len(right.lines)) if right.lines[at].typed is not None), len(right.lines))
    others = [
        other
        for other in range(index + 2, min(index + 20, end))
        if right.lines[other].text.strip()
        and right.lines[other] != right.lines[index]
        and not right.lines[other].text.startswith(">>>")
    ]
    if not others:
        return None
    other = chance.choice(others)
    return right.put(index, right.lines[other]).put(other, right.lines[index])


def _of_prompt(change: Callable[[str], str | None]) -> Mutation:
    """Change a prompt of the program wherever it asks with it."""

    def mutate(right: Session, chance: Random) -> Session | None:
        places = right.places(lambda printed: change(printed) not in (None, printed), typed=True)
        if not places:
            return None
        prompt = right.lines[chance.choice(places)].printed
        lines = (
            replace(line, printed=change(prompt) or "") if line.typed is not None and line.printed == prompt else line
            for line in right.lines
        )
        return replace(right, lines=tuple(lines))

    return mutate


def _too_early(right: Session, chance: Random) -> Session | None:
    """Ask before some lines are printed that should come first."""
    asked = [
        index
        for index in right.places(lambda _: True, typed=True)
        if index >= 2 and all(line.typed is None and line.text.strip() for line in right.lines[index - 2 : index])
    ]
    if not asked:
        return None
    index, by = chance.choice(asked), chance.choice([1, 2])
    moved = (right.lines[index], *right.lines[index - by : index])
    return replace(right, lines=(*right.lines[: index - by], *moved, *right.lines[index + 1 :]))


def _echoed(right: Session, chance: Random) -> Session | None:
    """Print one typed line once more, not every one."""
    places = [index for index in right.places(lambda _: True, typed=True) if (right.lines[index].typed or "").strip()]
    if len(places) < 2:
        return None
    index = chance.choice(places[1:])
    return right.put(index, right.lines[index], right.lines[index].typed or "")


def _stopped(right: Session, chance: Random) -> Session | None:
    """Stop after the last line that was typed."""
    last = max((index for index, line in enumerate(right.lines) if line.typed is not None), default=-1)
    if isinstance(right.test.interaction, ReplSession) or len(right.lines) - last < 3:
        return None
    end = chance.randint(last + 2, len(right.lines) - 1)
    # Without blank lines alone, it is these that are missing.
    return replace(right, lines=right.lines[:end]) if any(line.text for line in right.lines[end:]) else None


def _crashed(right: Session, chance: Random) -> Session | None:
    if isinstance(right.test.interaction, ReplSession):
        return None
    program = right.test.program
    traceback = (
        "Traceback (most recent call last):",
        f'  File "{program}", line 31, in <module>',
        "    main()",
        f'  File "{program}", line 12, in main',
        "    card = deck[52]",
        "IndexError: list index out of range",
    )
    kept = right.lines[: chance.randint(1, len(right.lines))]
    return replace(right, lines=(*kept, *map(Line, traceback)), exit_code=1)


def _dealt_otherwise(right: Session, _: Random) -> Session | None:
    """Other cards throughout, as when the generator is called differently."""
    cards = sorted({card for line in right.lines for card in _CARD.findall(line.printed)})
    # With few cards, other ones are the same in another order.
    if len(cards) < 8 or not _is_a_deal(right):
        return None
    by = dict(zip(cards, cards[3:] + cards[:3], strict=True))
    return right.rewritten(lambda printed: _CARD.sub(lambda card: by[card[0]], printed))


def _is_a_deal(right: Session) -> bool:
    """Whether no card is named before the first line with several."""
    with_cards = [line.text for line in right.lines if _CARD.search(line.text)]
    return bool(with_cards) and len(_CARD.findall(with_cards[0])) > 1


def _doubled(right: Session, _: Random) -> Session | None:
    last = max((index for index, line in enumerate(right.lines) if line.typed is not None), default=-1)
    printed = [line for line in right.lines[last + 1 :] if not line.text.startswith(">>>")]
    if isinstance(right.test.interaction, ReplSession) or len({line.text for line in printed[:4]}) < 4:
        return None
    return replace(right, lines=(*right.lines[: last + 1], *(line for line in printed for _ in range(2))))


def _joined(right: Session, index: int, _: Random) -> Session | None:
    other = right.lines[index + 1]
    if other.typed is not None or not other.text.strip() or other.text.startswith(">>>"):
        return None
    return right.put(index + 1).put(index, right.lines[index].text + other.text)


def _split(right: Session, index: int, _: Random) -> Session | None:
    head, blank, tail = right.lines[index].text.partition(" ")
    return right.put(index, head + blank, tail) if head.strip() and tail.strip() else None


def _composed(right: Session, _: Random) -> tuple[Session, Session] | None:
    with_accents = right.rewritten(lambda printed: printed.replace("e", "\xe9"))
    if with_accents == right:
        return None
    return with_accents, with_accents.rewritten(lambda printed: unicodedata.normalize("NFD", printed))


def _recoded(encode: Callable[[str], str]) -> Mutation:
    return _everywhere(lambda printed: printed if printed.isascii() else encode(printed))


def _mistaken(line: str, chance: Random) -> str:
    """One character replaced by another that looks like it."""
    plain = {chr(code): like for code, like in LOOK_ALIKES.items() if len(like) == 1}
    index = chance.choice([index for index, one in enumerate(line) if one in plain.values()])
    alike = sorted(odd for odd, like in plain.items() if like == line[index])
    return line[:index] + chance.choice(alike) + line[index + 1 :]


def _off_by_one(number: str, chance: Random) -> str:
    return str(int(number) + chance.choice([1, -1]))


_INSIDE = re.compile(r"(?<=\S) (?=\S)")
_RUN = re.compile(r"(?<=\S)  +(?=\S)")

MUTATIONS: Sequence[tuple[str, str, Mutation]] = (
    (
        "trailing-whitespace",
        "one line",
        _in_a_line(lambda _: True, lambda line, chance: line + " " * chance.randint(1, 3)),
    ),
    ("trailing-whitespace", "every line", _where_nothing_is_typed(lambda line: line + " " if line.strip() else line)),
    (
        "trailing-whitespace",
        "missing",
        _in_a_line(lambda line: line.strip() and line != line.rstrip(" "), lambda line, _: line.rstrip(" ")),
    ),
    (
        "tabs",
        "blanks for tabs",
        _everywhere(lambda line: line.rstrip("\t").expandtabs() if "\t" in line.strip() else line),
    ),
    ("tabs", "a tab for blanks", _a_match(_RUN, lambda *_: "\t")),
    ("tabs", "a tab too many", _a_match(re.compile(r"(?<=.)\t(?=.*\S)"), lambda tab, _: tab * 2)),
    ("spacing", "one more", _a_match(_INSIDE, lambda blank, _: blank * 2)),
    ("spacing", "none", _a_match(_INSIDE, lambda *_: "")),
    ("blank-line", "missing", _lines(lambda right, index, _: right.put(index), lambda line: not line)),
    ("blank-line", "extra", _lines(lambda right, index, _: right.put(index, right.lines[index], ""))),
    ("case", "a word", _a_match(_WORD, lambda word, _: word.swapcase())),
    ("case", "all small", _everywhere(str.lower)),
    ("variation-selector", "missing", _everywhere(lambda line: line.replace("\ufe0f", ""))),
    ("variation-selector", "extra", _a_match(re.compile(f"{_EMOJI.pattern}(?!\ufe0f)"), lambda one, _: f"{one}\ufe0f")),
    ("invisible-character", "zero width space", _a_match(_WORD, lambda word, _: f"{word[:2]}\u200b{word[2:]}")),
    (
        "invisible-character",
        "byte order mark",
        lambda right, _: (
            right.put(0, replace(right.lines[0], printed="\ufeff" + right.lines[0].printed))
            if isinstance(right.test.interaction, Dialogue)
            else None
        ),
    ),
    ("carriage-return", "every line", _where_nothing_is_typed(lambda line: line + "\r" if line.strip() else line)),
    ("ansi-escape", "a word", _a_match(_WORD, lambda word, _: f"\x1b[31m{word}\x1b[0m")),
    (
        "confusable-character",
        "a character",
        _in_a_line(lambda line: set(line) & set("-|'\""), lambda line, chance: _mistaken(line, chance)),
    ),
    ("confusable-character", "all dashes", _everywhere(lambda line: line.replace("-", "\u2013"))),
    ("unicode-normalization", "accents", _composed),
    ("number", "off by one", _a_match(_NUMBER, _off_by_one)),
    ("line-order", "neighbours", _lines(_swapped)),
    ("line-order", "far lines", _lines(_swapped_far)),
    ("asks-at-another-time", "too early", _too_early),
    ("wrong-prompt", "missing", _of_prompt(lambda prompt: "" if prompt else None)),
    ("wrong-prompt", "no blank", _of_prompt(lambda prompt: prompt.rstrip() if prompt.strip() else None)),
    ("wrong-prompt", "other words", _of_prompt(lambda prompt: "Your turn! " if prompt.strip() else None)),
    ("echoed-input", "once", _echoed),
    ("truncated-output", "stops", _stopped),
    ("crash", "traceback", _crashed),
    ("wrong-deal", "other cards", _dealt_otherwise),
    ("missing-line", "a line", _lines(lambda right, index, _: right.put(index))),
    ("extra-line", "debugging", _lines(lambda right, index, _: right.put(index, "debug: here", right.lines[index]))),
    ("extra-line", "twice", _lines(lambda right, index, _: right.put(index, right.lines[index], right.lines[index]))),
    ("repeated-lines", "all", _doubled),
    ("missing-newline", "two", _lines(_joined)),
    ("extra-newline", "one", _lines(_split)),
    ("final-newline", "missing", lambda right, _: replace(right, ended=False) if right.lines[-1].text else None),
    ("extra-output", "more", lambda right, _: replace(right, lines=(*right.lines, Line("Thanks for playing")))),
    (
        "line-cut-short",
        "words",
        _in_a_line(lambda line: len(line.split()) > 2, lambda line, _: line.rstrip().rsplit(" ", 1)[0]),
    ),
    (
        "line-too-long",
        "words",
        _in_a_line(
            str.strip, lambda line, _: f"{line.rstrip()} and so on" if line == line.rstrip() else f"{line}and so on"
        ),
    ),
    ("symbol", "emoji", _a_match(_EMOJI, lambda _, __: "\U0001f916")),
    ("encoding", "UTF-8 read as Latin-1", _recoded(lambda line: line.encode().decode("latin-1"))),
    ("encoding", "question marks", _recoded(lambda line: line.encode("ascii", "replace").decode())),
    ("encoding", "escapes", _recoded(lambda line: line.encode("ascii", "backslashreplace").decode())),
    (
        "encoding",
        "UTF-16",
        _everywhere(lambda line: line.encode("utf-16-le").decode("utf-8", "surrogateescape") if line else line),
    ),
    ("text", "a word", _a_match(_WORD, lambda word, _: "banana" if word != "banana" else "apple")),
)
"""The cause, what is done, and how."""
