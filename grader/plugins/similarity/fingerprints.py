"""Finds programs that have much in common, by winnowing (Schleimer, Wilkerson, Aiken: Winnowing, SIGMOD 2003).

Names, comments, layout and the order of functions do not matter. The findings are similarities; how they came about is
for a person to judge. Passages that two programs share do not overlap, so each line is in at most one.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import combinations, zip_longest

from pygments.token import Comment, Error, Name, Number, String, Text, _TokenType

from grader.errors import GraderError
from grader.installation import install_command
from grader.text.code_tokens import is_kind, lexed_pieces, lexer_for

# The limits for one student. Comments and strings are read, but count for little.
_MAX_CHARACTERS = 2_000_000
_MAX_TOKENS = 50_000
_MAX_FILES = 50
# The limit for two students.
_MAX_PAIRS = 5
# Above the letters that represent classes of tokens; after this many words, some words share a symbol.
_FIRST_CODE = 0x100
_CODES = 0x10FFFF - _FIRST_CODE
# In tokens: shorter matches are coincidence, and every match of KGRAM + WINDOW - 1 tokens is found.
_KGRAM = 12
_WINDOW = 5
# Code that repeats more often within one program says nothing about its origin.
_MAX_REPEATED = 20


@dataclass(frozen=True)
class Tokens:
    """Tokens: `symbols` has a character per token, the same for equivalent tokens; `lines` has their lines, from 1.

    `cut` is the line at which reading stopped, if it is not the last line.
    """

    symbols: str
    lines: tuple[int, ...]
    cut: int | None = None


@dataclass(frozen=True)
class _Room:
    """The number of characters that are read, and of tokens that are compared."""

    characters: int = _MAX_CHARACTERS
    tokens: int = _MAX_TOKENS

    def without(self, code: str, tokens: Tokens) -> "_Room":
        """Return the room that remains after a program."""
        return _Room(max(0, self.characters - len(code)), self.tokens - len(tokens.symbols))


class Tokenizer:
    """A converter of programs into tokens; identical words get the same symbol in all programs."""

    def __init__(self) -> None:
        self._symbols: dict[str, str] = {}

    def tokens(self, file: str, code: str, room: _Room = _Room()) -> Tokens:
        """Return the tokens of the program `code`, in the language of its file name, if there is room."""
        symbols: list[str] = []
        lines: list[int] = []
        line = 1
        for kind, text in _with_own_names(list(_limited_tokens(file, code[: room.characters], room.tokens))):
            if symbol := self._symbol(kind, text):
                if len(symbols) == room.tokens:
                    return Tokens("".join(symbols), tuple(lines), line)
                symbols.append(symbol)
                lines.append(line)
            line += text.count("\n")
        return Tokens("".join(symbols), tuple(lines), line if len(code) > room.characters else None)

    def _symbol(self, kind: _TokenType, text: str) -> str:
        if not _is_compared(kind, text):
            return ""
        if is_kind(kind, String):
            return "S"
        if is_kind(kind, Number):
            return "N"
        if is_kind(kind, Error):
            return "E"
        # The names of builtins are words of the language, not inventions of the author.
        if is_kind(kind, Name) and not is_kind(kind, Name.Builtin):
            return "V"
        return self._symbols.setdefault(text, chr(_FIRST_CODE + len(self._symbols) % _CODES))


def _limited_tokens(file: str, code: str, most: int) -> Iterator[tuple[_TokenType, str]]:
    """Yield the tokens of a program, up to the first token beyond the limit."""
    compared = 0
    for piece in lexed_pieces(file, code):
        # Some lexers look for a function again and again in blank lines.
        program = piece.lstrip(" \t\n")
        yield Text, piece.removesuffix(program)
        for kind, text in lexer_for(file).get_tokens(program):
            yield kind, text
            compared += _is_compared(kind, text)
            if compared > most:
                return


def _is_compared(kind: _TokenType, text: str) -> bool:
    return not is_kind(kind, Comment, Text, String.Doc) and text != ";"


Owner = tuple[str, bool]
"""A student, and whether the student is from an earlier class."""


def _with_own_names(tokens: Sequence[tuple[_TokenType, str]]) -> Iterator[tuple[_TokenType, str]]:
    """Yield the tokens; the name of a builtin counts as an ordinary name if the program defines it itself."""
    functions = {text for kind, text in tokens if is_kind(kind, Name.Function)}
    for (kind, text), (_, after) in zip_longest(tokens, tokens[1:], fillvalue=(Text, "")):
        is_own = is_kind(kind, Name.Builtin) and (text in functions or not after.startswith("("))
        yield (Name if is_own else kind), text


class SimilarError(GraderError):
    """Programs cannot be compared."""


@dataclass(frozen=True)
class ProgramSource:
    """A program of one student. A program from an `earlier` class is compared only with programs of this class."""

    student: str
    file: str
    code: str
    earlier: bool = False

    @property
    def owner(self) -> Owner:
        """The owner of the program: a student of this class or of an earlier one."""
        return self.student, self.earlier


@dataclass(frozen=True)
class SharedPassage:
    """Matching lines of the first and of the second program, counted from 1, both ends included."""

    first: tuple[int, int]
    second: tuple[int, int]


@dataclass(frozen=True)
class Fingerprints:
    """The fingerprints of a program, each with the places in its tokens where it begins."""

    source: ProgramSource
    tokens: Tokens
    places: Mapping[int, Sequence[int]]

    def covered(self, hashes: Iterable[int]) -> int:
        """Count the tokens that these fingerprints cover."""
        return len(
            {place + offset for fingerprint in hashes for place in self.places[fingerprint] for offset in range(_KGRAM)}
        )

    @cached_property
    def size(self) -> int:
        """The number of tokens that all its fingerprints cover."""
        return self.covered(self.places)


@dataclass(frozen=True)
class SimilarPair:
    """Two programs and the share of each that also occurs in the other, from 0 to 1."""

    first: Fingerprints
    second: Fingerprints
    first_share: float
    second_share: float

    @property
    def share(self) -> float:
        """The larger of the two shares, because an extended copy is still a copy."""
        return max(self.first_share, self.second_share)

    @property
    def names(self) -> tuple[str, str, str, str]:
        """The students and the names of their programs."""
        first, second = self.first.source, self.second.source
        return first.student, second.student, first.file, second.file

    @cached_property
    def passages(self) -> tuple[SharedPassage, ...]:
        """The matching passages; adjacent fingerprints are joined."""
        first, second = self.first, self.second
        starts = sorted(
            (place, second_place)
            for fingerprint in first.places.keys() & second.places.keys()
            if max(len(first.places[fingerprint]), len(second.places[fingerprint])) <= _MAX_REPEATED
            for place in first.places[fingerprint]
            for second_place in second.places[fingerprint]
        )
        # By distance between the two places: the start and end of each run of adjacent matches in the first program.
        runs: dict[int, list[list[int]]] = defaultdict(list)
        for place, second_place in starts:
            same = runs[second_place - place]
            if same and place <= same[-1][1]:
                same[-1][1] = place + _KGRAM
            else:
                same.append([place, place + _KGRAM])
        matches = (
            SharedPassage(_lines(first.tokens, begin, end), _lines(second.tokens, begin + distance, end + distance))
            for distance, same in runs.items()
            for begin, end in same
        )
        return tuple(sorted(matches, key=lambda passage: (passage.first, passage.second)))


def similar_pairs(
    sources: Sequence[ProgramSource],
    base: Sequence[tuple[str, str]],
    *,
    least: float,
    common: int,
    note: Callable[[str], object] = lambda _: None,
) -> list[SimilarPair]:
    """Return the pairs in which at least `least` (0 to 1) of one program occurs in the other, most similar first.

    `base` holds files that every student received, as name and code; their content does not count, nor does anything
    that occurs in more than `common` programs of this class. Any two students have at most 5 pairs. `note` is called
    when a program is not compared because its student submitted too much.

    Raises SimilarError if the winnowing library is missing.
    """
    tokenizer = Tokenizer()
    given = {item for file, code in base for item in _fingerprint_places(tokenizer.tokens(file, code))}
    prints = _longest_files(_fingerprints(tokenizer, sources, given), note)
    sources = [item.source for item in prints]
    holders: dict[int, list[int]] = defaultdict(list)
    for index, item in enumerate(prints):
        for fingerprint in item.places:
            holders[fingerprint].append(index)
    usual = {
        fingerprint
        for fingerprint, who in holders.items()
        if len({sources[item].student for item in who if not sources[item].earlier}) > common
    }
    rest = [_without_fingerprints(item, usual) for item in prints]
    shared: Counter[tuple[int, int]] = Counter()
    for fingerprint, who in holders.items():
        if fingerprint not in usual:
            shared.update(pair for pair in combinations(who, 2) if _comparable(sources, pair))
    pairs = (
        _similar_pair(rest[first], rest[second])
        for (first, second), count in shared.items()
        if count >= least / 2 * min(len(rest[first].places), len(rest[second].places))
    )
    chosen = sorted((pair for pair in pairs if pair.share >= least), key=lambda pair: (-pair.share, *pair.names))
    counts: Counter[tuple[Owner, Owner]] = Counter()
    best: list[SimilarPair] = []
    for pair in chosen:
        owners = pair.first.source.owner, pair.second.source.owner
        counts[owners] += 1
        if counts[owners] <= _MAX_PAIRS:
            best.append(pair)
    return best


def _longest_files(prints: Iterable[Fingerprints], note: Callable[[str], object]) -> list[Fingerprints]:
    """Return each student's programs with the most tokens, without duplicates, and `note` omitted ones."""
    by_owner: dict[Owner, dict[str, Fingerprints]] = defaultdict(dict)
    for item in prints:
        by_owner[item.source.owner].setdefault(item.tokens.symbols, item)
        if item.tokens.cut is not None:
            file, line = f"{item.source.student}: {item.source.file}", item.tokens.cut
            note(f"{file} is too long: what comes after line {line} was not compared")
    chosen: list[Fingerprints] = []
    for (student, _), files in by_owner.items():
        if len(files) > _MAX_FILES:
            note(f"{student}: of {len(files)} different files the {_MAX_FILES} longest were compared")
        chosen += sorted(files.values(), key=lambda item: -len(item.tokens.symbols))[:_MAX_FILES]
    return chosen


def _comparable(sources: Sequence[ProgramSource], pair: tuple[int, int]) -> bool:
    first, second = sources[pair[0]], sources[pair[1]]
    same_person = first.student == second.student and first.earlier == second.earlier
    return not same_person and not (first.earlier and second.earlier)


def _fingerprints(tokenizer: Tokenizer, sources: Iterable[ProgramSource], given: set[int]) -> Iterator[Fingerprints]:
    rooms: dict[tuple[str, bool], _Room] = defaultdict(_Room)
    for source in sources:
        tokens = tokenizer.tokens(source.file, source.code, rooms[source.owner])
        rooms[source.owner] = rooms[source.owner].without(source.code, tokens)
        yield _without_fingerprints(Fingerprints(source, tokens, _fingerprint_places(tokens)), given)


def _without_fingerprints(prints: Fingerprints, hashes: set[int]) -> Fingerprints:
    places = {fingerprint: places for fingerprint, places in prints.places.items() if fingerprint not in hashes}
    return Fingerprints(prints.source, prints.tokens, places)


def _fingerprint_places(tokens: Tokens) -> dict[int, list[int]]:
    """Map each fingerprint that winnowing selects to the places where it begins in the tokens."""
    try:
        import numpy
        from copydetect.utils import winnow
    except ImportError:
        raise SimilarError(
            f"Comparing programs needs copydetect; install it with: {install_command('similar')}"
        ) from None
    if len(tokens.symbols) < _KGRAM + _WINDOW:
        return {}
    kgrams = (tokens.symbols[start : start + _KGRAM] for start in range(len(tokens.symbols) - _KGRAM + 1))
    hashes, starts = winnow(numpy.array([_stable_hash(kgram) for kgram in kgrams]), _WINDOW, remove_duplicates=False)
    places: dict[int, list[int]] = {}
    for fingerprint, start in zip(hashes.tolist(), starts.tolist(), strict=True):
        places.setdefault(fingerprint, []).append(start)
    return places


def _stable_hash(text: str) -> int:
    """Return a hash of a string that is the same in every run, unlike `hash`."""
    # Symbols are numbers, some of which are surrogates.
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), signed=True)


def _similar_pair(first: Fingerprints, second: Fingerprints) -> SimilarPair:
    both = first.places.keys() & second.places.keys()
    return SimilarPair(first, second, first.covered(both) / first.size, second.covered(both) / second.size)


def _lines(tokens: Tokens, begin: int, end: int) -> tuple[int, int]:
    return tokens.lines[begin], tokens.lines[min(end, len(tokens.lines)) - 1]


def disjoint_passages(passages: Iterable[SharedPassage]) -> tuple[SharedPassage, ...]:
    """Return the longest of `passages`, in the order of the first program, without lines that belong to longer ones.

    A passage is skipped if fewer than half of its lines remain in either program, or if it falls into pieces.
    """
    chosen: list[SharedPassage] = []
    taken: tuple[set[int], set[int]] = (set(), set())
    for passage in sorted(
        passages,
        key=lambda passage_by_size: (
            -_length(passage_by_size.first) - _length(passage_by_size.second),
            passage_by_size.first,
            passage_by_size.second,
        ),
    ):
        first, second = _free_lines(passage.first, taken[0]), _free_lines(passage.second, taken[1])
        if first and second:
            chosen.append(SharedPassage(first, second))
            for lines, already in zip((first, second), taken, strict=True):
                already.update(range(lines[0], lines[1] + 1))
    return tuple(sorted(chosen, key=lambda passage_by_size: passage_by_size.first))


def _free_lines(lines: tuple[int, int], taken: set[int]) -> tuple[int, int] | None:
    begin, end = lines
    while begin <= end and begin in taken:
        begin += 1
    while begin < end and end in taken:
        end -= 1
    enough = begin <= end and 2 * _length((begin, end)) >= _length(lines)
    return (begin, end) if enough and taken.isdisjoint(range(begin, end + 1)) else None


def _length(lines: tuple[int, int]) -> int:
    return lines[1] - lines[0] + 1
