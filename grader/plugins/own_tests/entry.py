"""The key `own_tests` of a test: the programs in the folder own_tests/ on which a student's tests are tried."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated

from pydantic import model_validator

from grader.config.scalars import FileName, NameTemplate
from grader.config.validation import AT_LEAST_ONE, DISTINCT, SpecModel
from grader.config.yaml_reader import KeyPath
from grader.model.test import Visibility
from grader.plugins.own_tests.causes import BAD_ACCEPTED, GOOD_REFUSED, TESTS_NOT_RUN
from grader.plugins.own_tests.interaction import OwnTests, TrialProgram
from grader.spec.beside import NotBesideError, read_beside
from grader.spec.tests_file import TestEntry
from grader.text.syntax import parse


class OwnTestsEntry(SpecModel):
    """The programs on which a student's tests run: files in the folder own_tests/."""

    module: FileName
    """The file that these programs replace. The tests import it."""
    good: Annotated[tuple[FileName, ...], AT_LEAST_ONE, DISTINCT]
    """The programs that the tests must accept."""
    bad: NameTemplate | None = None
    """The program that the tests must reject. The title of the test describes its mistake."""

    @model_validator(mode="after")
    def _of_python(self) -> "OwnTestsEntry":
        if not (self.module.endswith(".py") and self.module.removesuffix(".py").isidentifier()):
            raise ValueError(
                f"found the module `{self.module}`; expected a file that Python can import, such as game.py"
            )
        return self


class TestOfOwnTests(TestEntry):
    """A test with `own_tests`."""

    way = "own_tests"
    way_words = "the program is a set of tests"
    causes = (GOOD_REFUSED, BAD_ACCEPTED, TESTS_NOT_RUN)

    own_tests: OwnTestsEntry | None = None
    """Runs tests written by the student on programs in the folder `own_tests/`. These tests have no `checker`, and
    bundles do not include them.
    """

    def refuse_misplaced(self) -> None:
        """Raise ValueError for keys that conflict with a plugin's keys."""
        super().refuse_misplaced()
        if self.own_tests is None:
            return
        if self.checker or not self.echo:
            raise ValueError("found `checker` or `echo` with `own_tests`, where nothing is typed or compared")
        for key in ("expected", "expected_file", "expect"):
            if getattr(self, key) is not None:
                raise ValueError(f"found `{key}`; expected it with a test of the whole program, not of functions")

    def plugin_texts(self) -> Iterator[tuple[KeyPath, str]]:
        """Yield the texts at keys of a plugin that may contain loop values, each with its location."""
        yield from super().plugin_texts()
        if self.own_tests is not None and self.own_tests.bad is not None:
            yield ("own_tests", "bad"), self.own_tests.bad

    def plugin_interaction(
        self, tests_file: Path, fill: Callable[[str], str], _visibility: Visibility, /
    ) -> OwnTests | None:
        """Return the interaction of a plugin's test, or None for any other test. Raises NotBesideError."""
        if self.own_tests is None:
            return None
        read = partial(_trial_program, tests_file)
        bad = None if self.own_tests.bad is None else read(fill(self.own_tests.bad))
        return OwnTests(self.own_tests.module, tuple(map(read, self.own_tests.good)), bad)


def _trial_program(tests_file: Path, name: str) -> TrialProgram:
    """Return the program `name` on which tests are tried, for the tests in `tests_file`. Raises NotBesideError."""
    file = tests_file.parent.parent / "own_tests" / name
    content = read_beside(tests_file, "own_tests", name, "program")
    try:
        text = content.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
        parse(text, name)
    except ValueError as error:
        raise NotBesideError(f"the program {file} is not in UTF-8 ({error})") from None
    except SyntaxError as error:
        raise NotBesideError(f"Python cannot read the program {file}, line {error.lineno}: {error.msg}") from None
    return TrialProgram(name, text)
