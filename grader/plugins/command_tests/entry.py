"""The key `command` of a test: a command that must end with the expected exit status."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

from pydantic import PlainValidator, WithJsonSchema

from grader.config.yaml_reader import KeyPath
from grader.errors import unexpected
from grader.model.test import Visibility
from grader.plugins.command_tests.causes import COMMAND_FAILED
from grader.plugins.command_tests.interaction import CommandRun
from grader.spec.tests_file import TestEntry

_FOR_OTHERS = (
    *("checker", "checker_options", "compare", "expected", "expected_file", "expect", "compare_stderr"),
    *("written_files", "args", "may_leave_input"),
)
"""Keys for the input and output of a program."""


def _command(value: object) -> str | tuple[str, ...]:
    if isinstance(value, str) and value.strip():
        return value
    words = tuple(word for word in value if isinstance(word, str)) if isinstance(value, list) else ()
    if isinstance(value, list) and len(words) == len(value) and words and words[0]:
        return words
    raise unexpected(value, "a line for a shell such as `pytest -q tests`, or a list of words such as `[make, test]`")


_Command = Annotated[
    str | tuple[str, ...],
    PlainValidator(_command),
    WithJsonSchema(
        {"anyOf": [{"type": "string", "minLength": 1}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]}
    ),
]


class TestOfCommand(TestEntry):
    """A test with `command`."""

    way = "command"
    way_words = "which must end with the exit status that is expected"
    causes = (COMMAND_FAILED,)

    command: _Command | None = None
    """Runs a command instead of the program, and only checks its exit status. A string is run by a shell, and a
    list of words is run without one.
    """

    def refuse_misplaced(self) -> None:
        """Raise ValueError for keys that conflict with a plugin's keys."""
        super().refuse_misplaced()
        if self.command is None:
            return
        misplaced = next((key for key in _FOR_OTHERS if getattr(self, key) not in (None, False, ())), None)
        if misplaced is not None or not self.echo:
            raise ValueError(
                f"found `{misplaced or 'echo'}` beside `command`, of which the exit status alone counts; "
                "expected one of them"
            )

    def plugin_texts(self) -> Iterator[tuple[KeyPath, str]]:
        """Yield the texts at keys of a plugin that may contain loop values, each with its location."""
        yield from super().plugin_texts()
        if isinstance(self.command, str):
            yield ("command",), self.command
        else:
            yield from ((("command", index), word) for index, word in enumerate(self.command or ()))

    def plugin_interaction(
        self, _tests_file: Path, fill: Callable[[str], str], _visibility: Visibility, /
    ) -> CommandRun | None:
        """Return the interaction of a plugin's test, or None for any other test. Raises NotBesideError."""
        if self.command is None:
            return None
        is_line = isinstance(self.command, str)
        words = (self.command,) if isinstance(self.command, str) else self.command
        return CommandRun(tuple(map(fill, words)), is_line)
