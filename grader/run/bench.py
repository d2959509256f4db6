"""What a batch of sessions shares: the students' interpreter, a scratch folder, and the wish to stop."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from grader.run.interpreter import Interpreter, interpreter_at, student_environment
from grader.run.outcome import Outcome
from grader.run.session import converse
from grader.run.workspace import workspace
from grader.spec.assignment import Start, Test
from grader.spec.limits import Limits


@dataclass(frozen=True)
class Bench:
    """The place where tests are run. Setting `cancelled` ends the sessions under way."""

    interpreter: Interpreter
    scratch: Path
    cancelled: Event

    def run(
        self,
        test: Test,
        files: tuple[tuple[Path, str], ...],
        limits: Limits,
        environment: Mapping[str, str] | None = None,
    ) -> Outcome:
        """Run `test` in a fresh folder with copies of `files` (path and name).

        Raises SessionError when the session could not be held, OSError when a file cannot be copied.
        """
        with workspace(files, self.scratch) as folder:
            extra = environment or {}
            if test.start is Start.PROMPT:
                launch = self.interpreter.prompt(folder, extra)
            else:
                launch = self.interpreter.program(test.program, folder, extra)
            return converse(launch, test.lines, echo=test.echo, limits=limits, cancelled=self.cancelled)


@contextmanager
def open_bench(python: Path | None = None) -> Iterator[Bench]:
    """A bench with an empty environment of `python`, by default of the interpreter that runs the grader."""
    with tempfile.TemporaryDirectory(prefix="grader-") as name:
        folder = Path(name).resolve()
        interpreter = interpreter_at(python, folder) if python else student_environment(folder)
        yield Bench(interpreter, folder, Event())
