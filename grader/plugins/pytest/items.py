"""The tests of an assignment as pytest items: a file per tests file, an item per test."""

import warnings
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from grader.api.check import prepare_check
from grader.errors import GraderError
from grader.model.judgement import Verdict
from grader.model.results import TestResult
from grader.model.test import Test, Visibility
from grader.reports.terminal.test_result import failure_text
from grader.run.interface import RunnerFactory
from grader.selfcheck.check import SelfCheck, open_runners
from grader.selfcheck.running import hold_check, ignore_verdict

if TYPE_CHECKING:
    from _pytest._code.code import TerminalRepr, TracebackStyle


class TestFailedError(Exception):
    """A test failed."""

    __test__ = False

    def __init__(self, result: TestResult) -> None:
        self.result = result
        super().__init__(f"{result.test.id}: {result.verdict}")


class Grading:
    """A runner for the tests of one submission. Each test runs at most once, when its result is requested."""

    def __init__(self, check: SelfCheck) -> None:
        self._check = check
        self._results: dict[str, TestResult] = {}
        self._open = ExitStack()
        self._runners: RunnerFactory | None = None

    def result(self, test: Test) -> TestResult:
        """Return the result of `test`."""
        if test.id not in self._results:
            if self._runners is None:
                self._runners = self._open.enter_context(open_runners(self._check.system, self._check.python))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SyntaxWarning)
                check = replace(self._check, tests=self._judged_with(test))
                graded = hold_check(check, self._runners, ignore_verdict).graded
            self._results.update((result.test.id, result) for result in graded.results)
        return self._results[test.id]

    def close(self) -> None:
        """Close everything that was opened to run tests."""
        self._open.close()

    def _judged_with(self, test: Test) -> tuple[Test, ...]:
        """Return `test` and the tests to judge it with, because a submission is read as one variant in all of them."""
        group = next(
            group for group in self._check.assignment.variant_groups if test.program in {item.file for item in group}
        )
        if len(group[0].variants) == 1:
            return (test,)
        programs = {program.file for program in group}
        return tuple(candidate for candidate in self._check.tests if candidate.program in programs)


class SubmissionPlugin:
    """A pytest plugin for a run that tests a submission."""

    def __init__(self, config: pytest.Config) -> None:
        """Find the submission. Raises pytest.UsageError if there is nothing to test."""
        path = Path(config.getoption("grader_submission")).absolute()
        hidden = config.getoption("grader_hidden")
        visibilities = frozenset(Visibility) if hidden else frozenset({Visibility.PUBLIC})
        try:
            self._check = prepare_check(
                path, assignment=config.getoption("grader_assignment"), visibilities=visibilities
            )
        except GraderError as error:
            raise pytest.UsageError(str(error)) from None
        # Other processes of the run may have a different working folder.
        config.option.grader_submission = str(path)
        self._grading = Grading(self._check)
        if config.args_source is not pytest.Config.ArgsSource.ARGS:
            config.args[:] = [str(file) for file in self._files()]

    def pytest_report_header(self) -> str:
        """Return a line that names the tested submission."""
        about = f"submission: {self._check.path} ({self._check.assignment.id}), with limits, without a sandbox"
        return "\n".join((about, *self._check.other_python))

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """Collect the tests files of the assignment."""
        if file_path not in self._files():
            return None
        tests = [test for test in self._check.tests if test.location and test.location.file == file_path]
        return YamlFile.of(parent, file_path, tests, self._grading)

    def pytest_unconfigure(self) -> None:
        """Close the grading of the submission."""
        self._grading.close()

    def _files(self) -> list[Path]:
        return sorted({test.location.file for test in self._check.tests if test.location})


class YamlFile(pytest.File):
    """A tests file."""

    tests: list[Test]
    grading: Grading

    @classmethod
    def of(cls, parent: pytest.Collector, path: Path, tests: list[Test], grading: Grading) -> "YamlFile":
        """Return the file at `path` with these tests."""
        file: YamlFile = cls.from_parent(parent, path=path)
        file.tests, file.grading = tests, grading
        return file

    def collect(self) -> Iterator["YamlTest"]:
        """Return an item per test."""
        return (YamlTest.of(self, test) for test in self.tests)


class YamlTest(pytest.Item):
    """A test, with the location of its entry in the file."""

    test: Test
    grading: Grading

    @classmethod
    def of(cls, file: YamlFile, test: Test) -> "YamlTest":
        """Return an item for a test in `file`."""
        item: YamlTest = cls.from_parent(file, name=test.id)
        item.test, item.grading = test, file.grading
        item.extra_keyword_matches.update((test.visibility, test.part, test.program))
        item.user_properties.append(("title", test.title))
        return item

    def runtest(self) -> None:
        """Run the test; raise TestFailedError if it fails."""
        result = self.grading.result(self.test)
        if result.verdict is not Verdict.PASSED:
            raise TestFailedError(result)

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: "TracebackStyle | None" = None
    ) -> "str | TerminalRepr":
        """Return the same words and diff as `grader check`."""
        if isinstance(excinfo.value, TestFailedError):
            return "\n".join(line.plain for line in failure_text(excinfo.value.result))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return the location of the test's entry; lines count from 0."""
        return self.path, self.test.location.line - 1 if self.test.location else None, self.test.id
