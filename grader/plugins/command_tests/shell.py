"""Starts a command in a shell, and keeps the end of its output.

Both output streams are merged, in the order of writing. A program from a required package, such as `pytest`, is run as
a module, because packages are installed without their programs.
"""

import re
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from grader.errors import SessionError
from grader.model.outcome import Outcome
from grader.model.test import Test
from grader.plugins.command_tests.interaction import CommandRun
from grader.plugins.command_tests.words import OF_SHELL, not_installed, programs_of
from grader.run.interface import Launch
from grader.run.interpreter import Interpreter
from grader.run.toolchain import SYSTEM_PATH

_MAX_KEPT = 20_000
_NOT_FOUND = 127
_FUNCTION = re.compile(r"[A-Za-z_]\w*")
_NO_MODULE = re.compile(r"^\S*/python[\d.]*: No module named (?P<name>[\w.]+)\s*\Z", re.M)


@dataclass(frozen=True)
class StartedCommand:
    """A test's command, ready to be started."""

    command: CommandRun
    test: Test

    @property
    def files(self) -> Mapping[str, str]:
        """The texts of the files to add to the working folder, by name."""
        return {}

    def launch(self, interpreter: Interpreter, workdir: Path, variables: Mapping[str, str]) -> Launch:
        """Return the command to start."""
        before = " ".join(self._preparations(interpreter.packages))
        words = self.command.words_of_command
        # With `exec`, a signal that ends the program also ends the shell, which would turn it into an exit status.
        run = '"$@"' if words[0] in OF_SHELL else 'exec "$@"'
        argv = (f"{before} {words[0]}",) if self.command.is_line else (f"{before} {run}", "sh", *words)
        return interpreter.command(("sh", "-c", *argv), workdir, variables)

    def outcome(self, session: Outcome) -> Outcome:
        """Return the outcome with the end of the output. Raises SessionError if something is not installed here."""
        self._refuse_missing(session)
        return replace(session, transcript=_end(session.transcript))

    @property
    def _programs(self) -> Sequence[str]:
        words = self.command.words_of_command
        return programs_of(words[0]) if self.command.is_line else words[:1]

    def _preparations(self, packages: Path) -> Iterator[str]:
        """Yield commands that prepare the shell, all on the first line so that line numbers stay the same."""
        yield "exec 2>&1;"
        if files := [shlex.quote(f"./{name}") for name in self._executables()]:
            yield f"chmod +x {' '.join(files)};"
        for name in filter(_FUNCTION.fullmatch, self._programs):
            module = shlex.quote(str(packages / name / "__main__.py"))
            as_list = f'shift; set -- python3 -m {name} "$@"'
            as_line = f'{name}() {{ python3 -m {name} "$@"; }}'
            yield f"if [ -e {module} ]; then {as_line if self.command.is_line else as_list}; fi;"

    def _executables(self) -> Iterator[str]:
        """Yield the course files that the command names. Files of the submission are executable anyway."""
        text = " ".join(self.command.words_of_command)
        yield from (file.name for file in self.test.start.files if PurePosixPath(file.name).name in text)

    def _refuse_missing(self, session: Outcome) -> None:
        text = self.command.text
        if session.exit_code == _NOT_FOUND:
            if (program := not_installed(self._programs)) is not None:
                raise SessionError(f"`{program}` is not installed here (in {SYSTEM_PATH}), so `{text}` cannot be run")
            if (file := self._missing_file(session.transcript)) is not None:
                raise SessionError(f"`{file}` is neither handed in nor among the `files` of the test")
        if session.exit_code == 1 and (match := _NO_MODULE.search(session.transcript)):
            name = match["name"]
            # A student's program may print these words too, but Python never lacks its own standard modules.
            if f"-m {name}" in text and name.partition(".")[0] not in sys.stdlib_module_names:
                raise SessionError(
                    f"the Python of this assignment has no {name}, so `{text}` cannot be run: "
                    f"the instructor has to add `packages: [{name}]` to assignment.yaml"
                )

    def _missing_file(self, printed: str) -> str | None:
        """Return the file that the command itself runs, if it is missing and is not built from the submission."""
        file = next(iter(self._programs), "")
        is_built = self.test.recipe is not None and self.test.recipe.build is not None
        if "/" not in file or is_built:
            return None
        message = rf"\S*sh: (?:line )?(?:\d+: )?(?:exec: )?{re.escape(file)}: (?:not found|No such file.*)\n"
        return file if re.fullmatch(message, printed) else None


def _end(text: str) -> str:
    """Return the end of a string, starting at the beginning of a line, and how much was omitted before it."""
    if len(text) <= _MAX_KEPT:
        return text
    start = len(text) - _MAX_KEPT
    start = text.find("\n", start, -1) + 1 or start
    return f"[... {start:,} characters left out ...]\n{text[start:]}"
