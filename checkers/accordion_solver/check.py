"""The checker `accordion`: judges what a program says about a deal and a tableau.

Options (texts, in `checker_options`):

- `order`: `top-first` (the handout's words, default) or `bottom-first`: how piles are written.
- `certificate`: `stderr` lets a program print its moves on standard error; then they are replayed, which settles the
  answer at once. Without it standard error changes no verdict on a game, unless it complains about the input.
- `reveal`: `count` (default) tells how many piles are possible and what speaks for or against the given tableau,
  `answer` also shows the moves, `nothing` neither.
- `seconds`: processor time for each question that has to be searched for, default 10.
- `doubt`: `unknown` (default) or `passed`, the verdict on a tableau with the smallest number of piles when no search
  tells in time whether it can be derived.
"""

import re
from dataclasses import dataclass

from accordion_solver.cards import TOP_FIRST, Game, GameSyntaxError, Tableau, read_card, read_game, read_tableau
from accordion_solver.certificate import NotLegalError, replay_certificate, write_certificate
from accordion_solver.derive import Derivable, Impossible
from accordion_solver.other_rules import needed_moves, wider_rules
from accordion_solver.truth import Bounds, bounds, decide
from grader.checkers import ActualOutput, CheckResult, passed, unknown, wrong

_WORD = "impossible"
_VERDICTS = {_WORD, "possible", "derivable", "winning", "losing"}
_PUNCTUATION = ".,:;!?()[]<>*#'\"`-"
# Words that tell that something is wrong, but not what.
_SAYS_NOTHING = {
    *("error", "errors", "fatal", "fail", "failed", "failure", "bad", "wrong", "invalid", "illegal", "oops", "sorry"),
    *("the", "there", "has", "was", "occurred", "accordion"),
}
_COMPLAINT = re.compile(
    r"\b(error|errors|fatal|fail(ed|ure)?|bad|wrong|invalid|illegal|malformed|incorrect|syntax)\b|错|無效|无效|非法|不合|不符",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Options:
    """The options as above."""

    order: str = TOP_FIRST
    certificate: str = "none"
    reveal: str = "count"
    seconds: str = "10"
    doubt: str = "unknown"


def check(input: str, expected: str, actual: ActualOutput, **options: str) -> CheckResult:  # noqa: A002, ARG001
    """Judge one answer; a sentence says what is wrong with it, without telling the right one."""
    chosen = Options(**options)
    try:
        game = read_game(input, chosen.order)
    except GameSyntaxError as problem:
        return _on_bad_input(actual, str(problem))
    return _Question(game, chosen, actual).judge()


def _on_bad_input(actual: ActualOutput, problem: str) -> CheckResult:
    """The handout: terminate with an informative error message. Where it is printed is left open."""
    printed = f"{actual.stdout}\n{actual.stderr}".strip()
    fault = f"The input is not in the format ({problem})"
    if not printed:
        return wrong(f"{fault}, but your program ends without an error message.")
    if answer := _answer_in(printed):
        return wrong(f"{fault}, but your program {answer} instead of an error message.")
    if answer := _answer_in(actual.stdout):
        return unknown(f"whether an error message stands on standard error; your program {answer}.")
    words = _words(printed)
    if not words:
        return wrong(f"{fault}, but your program prints no error message.")
    if words <= _SAYS_NOTHING:
        return wrong(f"The error message, `{printed}`, does not say what is wrong with the input: {problem}.")
    return passed()


def _words(text: str) -> set[str]:
    """The words in any script; where no blanks part them, two letters suffice."""
    words = {word.casefold() for word in re.findall(r"[^\W\d_]+", text)}
    return {word for word in words if len(word) > (2 if word.isascii() else 1)}


def _answer_in(text: str) -> str:
    """Describe text that is an answer and nothing else: piles of cards, or a verdict such as `impossible`."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    piles = [line for line in lines if _is_pile(line)]
    if not lines or not all(line in piles or line.strip(_PUNCTUATION).casefold() in _VERDICTS for line in lines):
        return ""
    return "prints a tableau" if piles else f"prints {_first_line(text.strip())}"


def _is_pile(line: str) -> bool:
    """Return whether a line consists of cards; half a card may come last."""
    text = "".join(line.split())
    return len(text) > 1 and all(read_card(text[place : place + 2]) is not None for place in range(0, len(text) - 1, 2))


def _first_line(text: str) -> str:
    line = text.partition("\n")[0]
    return f"`{line[:80]}…`" if len(line) > 80 else f"`{line}`"


class _Question:
    """One answer to one game."""

    def __init__(self, game: Game, options: Options, actual: ActualOutput) -> None:
        self._game = game
        self._options = options
        self._text = actual.stdout.strip()
        self._errors = actual.stderr
        self._moves = actual.stderr if options.certificate == "stderr" else ""
        self._seconds = float(options.seconds)

    def judge(self) -> CheckResult:
        """Judge a complaint on standard error about a well-formed game, which is as wrong as on standard output."""
        answer = self._judge()
        shown = _first_line(self._errors.strip())
        if answer != passed():
            return answer
        if _COMPLAINT.search(self._errors.replace("_", " ")):
            return wrong(f"The input is in the format, but your program prints {shown} on standard error.")
        if not self._text and self._options.certificate != "stderr" and _words(self._errors) - _SAYS_NOTHING:
            return unknown(f"whether {shown}, on standard error, says that the input is not in the format.")
        return answer

    def _judge(self) -> CheckResult:
        if self._text == _WORD:
            return self._on_impossible()
        words = {word.strip(_PUNCTUATION).casefold() for word in self._text.split()}
        if words == {_WORD}:
            shown = _first_line(self._text)
            return wrong(f"The output is {shown}; the word is `{_WORD}`, in small letters and with nothing beside it.")
        if not self._text:
            return self._on_nothing()
        if _WORD in words:
            return self._on_impossible_and_more()
        return self._on_tableau()

    def _on_impossible(self) -> CheckResult:
        truth = self._decide(self._game.tableau)
        if isinstance(truth, Derivable):
            how = self._moves_shown(truth) or self._needed(self._game.tableau, truth)
            return wrong(f"Your program prints `{_WORD}`, but the given tableau can be derived from the deal{how}.")
        return passed() if truth else unknown("whether the given tableau can be derived from the deal.")

    def _on_impossible_and_more(self) -> CheckResult:
        lines = [line.strip() for line in self._text.splitlines()]
        more = next(line for line in lines if line not in ("", _WORD))
        if _WORD in lines:
            return wrong(
                f"Your program prints `{_WORD}` and also {_first_line(more)}; nothing may stand beside the word."
            )
        shown = next(line for line in lines if _WORD in line.casefold())
        return wrong(f"Your program prints {_first_line(shown)}; expected just `{_WORD}`.")

    def _on_nothing(self) -> CheckResult:
        given = self._game.tableau
        truth = self._replayed(given) or self._decide(given)
        if isinstance(truth, Impossible):
            return self._given_is_impossible(truth)
        known = self._bounds(given)
        if known.most < len(given):
            more = self._fewer_possible("The given tableau", given, known)
            return wrong(f"{more}. So it is a losing one, and your program must print a winning one.")
        if truth and known.exact:
            return passed()
        return unknown("whether the given tableau can be derived and has the smallest number of piles.")

    def _on_tableau(self) -> CheckResult:
        try:
            answer = read_tableau(self._text, self._game.deal, self._options.order)
        except GameSyntaxError as problem:
            if "error" in self._text.casefold():
                return wrong(f"The input is in the format, but your program prints {_first_line(self._text)}.")
            return self._on_other_text(problem)
        at_once = decide(self._game.deal, self._game.tableau, 0)
        if isinstance(at_once, Impossible):
            return self._given_is_impossible(at_once)
        known = self._bounds(answer)
        if known.most < len(answer):
            return wrong(f"{self._fewer_possible('Your tableau', answer, known)}.")
        if known.exact and len(self._game.tableau) == known.most:
            return self._on_tableau_for_winning_or_impossible()
        mine = self._replayed(answer) or self._decide(answer)
        if isinstance(mine, Impossible):
            return self._mine_is_impossible(answer, mine, known)
        truth = self._decide(self._game.tableau)
        if isinstance(truth, Impossible):
            return self._given_is_impossible(truth)
        if known.exact and truth and (mine or self._options.doubt == "passed"):
            return passed()
        return unknown("whether your tableau, or the given one, can be derived with the smallest number of piles.")

    def _on_other_text(self, problem: GameSyntaxError) -> CheckResult:
        given = self._game.tableau
        known = self._bounds(given)
        if known.exact and known.most == len(given) and isinstance(self._decide(given), Derivable):
            return wrong(f"The given tableau is winning: expected no output; yours prints {_first_line(self._text)}.")
        return wrong(f"The output is neither `{_WORD}` nor a tableau of the cards dealt: {problem}.")

    def _mine_is_impossible(self, answer: Tableau, found: Impossible, known: Bounds) -> CheckResult:
        groups = self._text.split()
        if len(answer) == 1 < len(groups) < len(answer[0]):
            return wrong(
                f"Your program prints {len(answer[0])} cards in one line, which is one pile; "
                "each pile belongs on a line of its own."
            )
        wider = wider_rules(self._game.deal, answer)
        message = f"Your tableau cannot be derived from the deal: {found.argument.words}{wider}."
        if known.exact and len(answer) < known.most and not wider:
            message += (
                f" It has fewer piles than the {known.most} that are possible. A move goes one or two piles to the "
                "left, onto a card of the same suit or rank, with the top card or with the whole pile."
            )
        return wrong(message)

    def _on_tableau_for_winning_or_impossible(self) -> CheckResult:
        """The given tableau has the smallest number of piles: whether it can be derived or not, no tableau is right."""
        truth = self._decide(self._game.tableau)
        if isinstance(truth, Impossible):
            return self._given_is_impossible(truth)
        return wrong("The given tableau already has the smallest number of piles, so no other is to be printed.")

    def _given_is_impossible(self, truth: Impossible) -> CheckResult:
        if not self._text and self._errors.strip(f"{_PUNCTUATION} \n").casefold() == _WORD:
            return wrong(f"`{_WORD}` stands on standard error; it belongs on standard output.")
        if self._options.reveal == "nothing":
            return wrong("The given tableau cannot be derived from the deal.")
        printed = "a tableau" if self._text else "nothing"
        wider = wider_rules(self._game.deal, self._game.tableau) if self._text else ""
        reason = f"{truth.argument.words}{wider}"
        return wrong(f"Your program prints {printed}, but the given tableau cannot be derived from the deal: {reason}.")

    def _needed(self, tableau: Tableau, found: Derivable) -> str:
        return "" if self._options.reveal == "nothing" else needed_moves(self._game.deal, tableau, found)

    def _fewer_possible(self, which: str, tableau: Tableau, known: Bounds) -> str:
        count = len(tableau)
        said = f"{which} has {count} piles; "
        if self._options.reveal == "nothing":
            return f"{said}fewer are possible"
        return f"{said}{known.most} {'is' if known.most == 1 else 'are'} possible{self._moves_shown(known)}"

    def _moves_shown(self, found: Bounds | Derivable) -> str:
        if self._options.reveal != "answer":
            return ""
        moves = write_certificate(self._game.deal, found.moves).strip().replace("\n", ", ")
        return f", by the moves: {moves}"

    def _replayed(self, tableau: Tableau) -> Derivable | None:
        """Whether the program's own moves lead to `tableau`. Wrong ones prove nothing either way."""
        if not self._moves.strip():
            return None
        try:
            reached = replay_certificate(self._game.deal, self._moves)
        except NotLegalError:
            return None
        return Derivable(()) if reached == tableau else None

    def _decide(self, tableau: Tableau) -> Derivable | Impossible | None:
        return decide(self._game.deal, tableau, self._seconds)

    def _bounds(self, tableau: Tableau) -> Bounds:
        """The smallest number of piles; nothing needs to be searched for when there is only one."""
        if len(tableau) == 1:
            return Bounds(1, (), exact=True)
        return bounds(self._game.deal, self._seconds)
