"""Shares trials of a student's tests on the instructor's programs among the tests of a submission."""

import builtins
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from threading import Lock

from grader.errors import GraderError, SessionError
from grader.files.digest import content_digest, digest
from grader.model.outcome import Outcome, Termination
from grader.model.program import Limits
from grader.model.test import Test
from grader.plugins.own_tests.interaction import OwnTests, TrialProgram
from grader.plugins.own_tests.trial_result import FIXTURES, TrialEnd, TrialResult, reported, trials_of
from grader.run.interface import SubmissionFiles
from grader.run.plugin_session import RunTest

_LONGEST = 200
_TAKES_FIXTURE = re.compile(
    rf"(?:\bdef\s+\w+\s*\(|\blambda\s)(?:[^()]|\([^()]*\)){{0,1000}}?\b(?:{'|'.join(FIXTURES)})\b".encode()
)
_IMPORTS_PYTEST = re.compile(r"(?:import|from)\b[^#]*\bpytest\b")
_DEFINITION = re.compile(r"\s*(?:async\s+)?(?:def|class)\s+(\w+)")
_EXCEPTIONS = frozenset(
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
)

_ENDLESS = TrialResult(number=0, end=TrialEnd.ENDLESS, tests=0, test="", line=None, code="", error="")


class SharedTrials:
    """The trials that the tests of one submission share: each distinct program is tried once, all in one order.

    Students' tests find ways to remember earlier programs. Programs are therefore not tried earlier or more often
    because they are good: the order depends on the texts of all programs, which students do not know, and is the same
    whenever the same files are graded.
    """

    def __init__(self, tests: Sequence[Test], files: SubmissionFiles) -> None:
        """Share trials for the submission `files` among the `tests` known so far."""
        self._tests = tests
        self._files = files
        self._trials: dict[str, dict[str, Outcome | Exception]] = {}
        self._trying = Lock()

    def outcome(self, test: Test, limits: Limits, run: RunTest) -> Outcome:
        """Return the outcome of the trials with the programs of a test; `run` tries the tests on new programs.

        Each program has an equal share of the time. Endless tests count as rejecting a bad program. Raises
        SessionError if a busy machine had no time for a bad program although the good programs passed.
        """
        programs = _programs_of(test)
        setting = digest(_setting(test))
        with self._trying:
            if setting not in self._trials:
                self._trials[setting] = self._try_all(test, limits, run)
        outcomes = []
        for program in programs.programs:
            match self._trials[setting][program.text]:
                case Outcome() as outcome:
                    outcomes.append(outcome)
                case error:
                    raise error
        return _combined_outcome(programs, outcomes)

    def _try_all(self, test: Test, limits: Limits, run: RunTest) -> dict[str, Outcome | Exception]:
        fewest_beside: dict[str, int] = {}
        for candidate in (test, *self._tests):
            if isinstance(candidate.interaction, OwnTests) and _setting(candidate) == _setting(test):
                programs = candidate.interaction.programs
                for program in programs:
                    fewest_beside[program.text] = min(len(programs), fewest_beside.get(program.text, len(programs)))
        contents = {name: path.read_bytes() for path, name in self._files}
        secret = digest([sorted(fewest_beside), sorted((name, content_digest(it)) for name, it in contents.items())])
        source = TestSource(contents[test.program], contents.values())
        trials: dict[str, Outcome | Exception] = {}
        for text in sorted(fewest_beside, key=lambda text: digest([secret, text])):
            alone = replace(test, interaction=OwnTests(_programs_of(test).module, (TrialProgram("", text),)))
            # A separate time limit would reveal a program that is part of a smaller test.
            share = replace(limits, wall_seconds=limits.wall_seconds / max(fewest_beside.values()))
            try:
                trials[text] = source.redacted(run(alone, share))
            except (GraderError, OSError) as error:
                trials[text] = error
        return trials


def _programs_of(test: Test) -> OwnTests:
    if not isinstance(test.interaction, OwnTests):
        raise TypeError(f"{test.id} tries no tests of students")
    return test.interaction


def _setting(test: Test) -> tuple[object, ...]:
    """Return everything that a trial depends on apart from the program."""
    return (test.program, _programs_of(test).module, test.start, test.provision, test.limits, test.side_output)


def _combined_outcome(programs: OwnTests, outcomes: Sequence[Outcome]) -> Outcome:
    """Combine the outcomes, one per program, up to the first program that did not end on its own."""
    trials: list[TrialResult] = []
    is_busy = False
    for number, outcome in enumerate(outcomes):
        last = outcome
        if number >= len(programs.good) and outcome.ending in (Termination.TIMED_OUT, Termination.MEMORY_LIMIT):
            is_busy = outcome.is_starved
            last = replace(
                outcome, ending=Termination.EXITED, exit_code=0, reported=reported(() if is_busy else (_ENDLESS,))
            )
        trials += (replace(result, number=number) for result in trials_of(last))
        if last.ending is not Termination.EXITED:
            break
    else:
        if is_busy and all(result.end is TrialEnd.PASSED for result in trials):
            raise SessionError("the machine was too busy to tell whether the tests of the student come to an end")
    return replace(
        last,
        wall_seconds=sum(outcome.wall_seconds for outcome in outcomes),
        cpu_seconds=sum(outcome.cpu_seconds for outcome in outcomes),
        reported=reported(tuple(trials)),
    )


class TestSource:
    """The file of a student's tests, which limits what its trials may reveal about a program.

    The tests see the program, and report which of them failed and why. So only things that occur in the file are
    reported: the name of a test, a line and the type of an exception, but never a message or output. Tests without
    fixtures cannot claim to need pytest.
    """

    def __init__(self, content: bytes, contents: Iterable[bytes]) -> None:
        """Read the student's test file and the `contents` of all files."""
        text = content.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
        self._lines = text.split("\n")
        self._takes_fixture = any(map(_TAKES_FIXTURE.search, contents))
        self._numbers: dict[str, int] = {}
        for number, line in enumerate(self._lines, 1):
            if match := _DEFINITION.match(line):
                self._numbers.setdefault(match[1], number)

    def redacted(self, outcome: Outcome) -> Outcome:
        """Return the outcome of a trial without anything that can only come from the program."""
        trials = tuple(map(self._redacted, trials_of(outcome)))
        return replace(outcome, reported=reported(trials), transcript="", typed=(), errors="")

    def _redacted(self, result: TrialResult) -> TrialResult:
        parts = result.test.partition("[")[0].split(".")
        test = ".".join(parts) if self._numbers.keys() >= set(parts) else ""
        number = self._numbers.get(parts[-1]) if result.line is None else result.line
        code = self._lines[number - 1].strip() if number and 0 < number <= len(self._lines) else ""
        return replace(
            result,
            end=self._end(result, code),
            tests=sum(name.startswith("test") for name in self._numbers),
            test=test,
            line=number if code else None,
            code=code[:_LONGEST],
            error=result.error if result.error in _EXCEPTIONS or result.error in self._numbers else "",
        )

    def _end(self, result: TrialResult, code: str) -> TrialEnd:
        """Return how a trial ended; a module other than pytest may be missing, and only fixtures need pytest itself."""
        if result.end is not TrialEnd.NEEDS_PYTEST:
            return result.end
        if result.error == ModuleNotFoundError.__name__:
            return TrialEnd.NEEDS_PYTEST if _IMPORTS_PYTEST.match(code) else TrialEnd.IMPORT
        return TrialEnd.NEEDS_PYTEST if self._takes_fixture else TrialEnd.ENDED
