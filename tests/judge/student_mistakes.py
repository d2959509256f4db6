"""Mistakes that students make, run and judged, and whether the sentence says what a teacher would say of them.

They stand in student_mistakes.yaml. `python -m benchmarks.sentences` prints what share of the sentences is right.
"""

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from grader.judge.judge import judge
from grader.model.expected_call import ExpectedCall, ExpectedStep
from grader.model.interaction import Dialogue, FunctionCall
from grader.model.judgement import Judgement
from grader.model.outcome import Outcome
from grader.model.plain_values import Plain
from grader.model.program import Limits
from grader.model.test import Test
from grader.plugins.function_calls.judge import judge_call
from grader.run.environment import RunEnvironment
from grader.run.run_slots import cores
from grader.spec.tests_file import USUAL_CHECKS
from tests import ROOT
from tests.building import TEST
from tests.judge.sessions import exited

FILE = Path(__file__).with_name("student_mistakes.yaml")
PROVIDED = ROOT / "reference" / "cards.py"
_LIMITS = Limits(wall_seconds=30)


@dataclass(frozen=True, kw_only=True)
class Game:
    """A right program, and the lines that the test types."""

    program: str
    typed: Sequence[str] = ()

    @property
    def test(self) -> Test:
        """The test of such a dialogue."""
        return replace(TEST, interaction=Dialogue(tuple(self.typed)), provided=("cards.py",))


@dataclass(frozen=True, kw_only=True)
class Mistake:
    """A mistake, and the words that its sentence must and must not contain, as regular expressions.

    It replaces texts in the `program` of a game or in what that `prints`, takes another `source`, or other `bytes`;
    or it says what is `expected` and `printed`; or `function` is called, which must return, print and change values.
    """

    name: str
    says: Sequence[str]
    never: Sequence[str] = ()
    game: str = ""
    program: Mapping[str, str] = field(default_factory=dict)
    prints: Mapping[str, str] = field(default_factory=dict)
    source: str | None = None
    bytes: str = ""
    encoding: str = "utf-8"
    limits: Mapping[str, int] = field(default_factory=dict)
    expected: str = ""
    printed: str = ""
    function: str = ""
    call: str = ""
    given: Mapping[str, Plain] = field(default_factory=dict)
    returned: Plain = None
    printed_text: str = ""

    def faults(self, sentence: str) -> list[str]:
        """What the sentence should say and does not, and what it should not say."""
        missing = [f"lacks {words}" for words in self.says if not re.search(str(words), sentence, re.IGNORECASE)]
        return missing + [f"says {words}" for words in self.never if re.search(words, sentence, re.IGNORECASE)]


@dataclass(frozen=True)
class Explained:
    """The judgement on a mistake."""

    mistake: Mistake
    judgement: Judgement

    @property
    def sentence(self) -> str:
        """What the student reads."""
        return self.judgement.diagnosis.sentence if self.judgement.diagnosis else "passed"

    @property
    def faults(self) -> list[str]:
        """What is wrong with the sentence."""
        return self.mistake.faults(self.sentence)


def read_mistakes() -> tuple[dict[str, Game], list[Mistake]]:
    """The games by name, and the mistakes."""
    content: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    games = {name: Game(**game) for name, game in content["games"].items()}
    return games, [Mistake(**entry) for entry in content["mistakes"]]


def explain_all(environment: RunEnvironment) -> Iterator[Explained]:
    """Run every mistake and judge it."""
    games, mistakes = read_mistakes()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(cores()) as pool:
        run = partial(_run, environment, Path(folder))
        right = {name: run(game.test, f"right {name}", game.program.encode()) for name, game in games.items()}
        yield from pool.map(lambda mistake: Explained(mistake, _judge(mistake, games, right, run)), mistakes)


def _judge(mistake: Mistake, games: Mapping[str, Game], right: Mapping[str, Outcome], run: Any) -> Judgement:
    limits = Limits(**mistake.limits) if mistake.limits else _LIMITS
    if mistake.function:
        return _judge_function(mistake, run)
    if mistake.expected:
        return judge(TEST, mistake.expected, exited(TEST, mistake.printed))
    test, expected = games[mistake.game].test, right[mistake.game].transcript
    if mistake.prints:
        return judge(test, expected, exited(test, _changed(expected, mistake.prints)))
    return judge(test, expected, run(test, mistake.name, _source(mistake, games[mistake.game]), limits))


def _judge_function(mistake: Mistake, run: Any) -> Judgement:
    call = FunctionCall(
        calls=(mistake.call,),
        variables=mistake.given,
        setup=(),
        checks=frozenset(USUAL_CHECKS),
        cards=None,
    )
    test = replace(TEST, interaction=call)
    expected = ExpectedCall((ExpectedStep(mistake.returned),), mistake.printed_text, mistake.given)
    return judge_call(test, call, expected, run(test, mistake.name, mistake.function.encode()))


def _source(mistake: Mistake, game: Game) -> bytes:
    if mistake.bytes:
        return bytes.fromhex(mistake.bytes)
    source = _changed(game.program, mistake.program) if mistake.source is None else mistake.source
    return source.encode(mistake.encoding)


def _changed(text: str, changes: Mapping[str, str]) -> str:
    for old, new in changes.items():
        if len(old) > 1 and old not in text:
            raise ValueError(f"{old!r} does not stand in the text")
        text = text.replace(old, new)
    return text


def _run(
    environment: RunEnvironment, folder: Path, test: Test, name: str, source: bytes, limits: Limits = _LIMITS
) -> Outcome:
    place = folder / re.sub(r"\W+", "_", name)
    place.mkdir()
    (place / "game.py").write_bytes(source)
    return environment.run(test, ((PROVIDED, "cards.py"), (place / "game.py", "game.py")), limits, {})


def wrong_ones(explained: Iterable[Explained]) -> list[Explained]:
    """Those whose sentence is not what a teacher would say."""
    return [one for one in explained if one.faults]
