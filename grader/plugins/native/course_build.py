"""Watches programs built by the course's own commands, such as a Makefile with `-fsanitize=address`.

No code of the grader is built into these programs. The report of a sanitizer is mixed with the program's output, from
which it is extracted. At the start, the names in the program reveal whether it has a sanitizer; if it does, it gets
more address space than other programs.
"""

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import PurePath

from grader.model.outcome import Outcome, TypedLine
from grader.model.program import BuildCommands, Limits
from grader.plugins.native.error_finder import SHADOW_BYTES, ErrorReport, ReportSocket
from grader.run.error_watch import ErrorWatch, WatchReport
from grader.run.interface import Launch

_VALGRIND = "valgrind"
_SANITIZED = "The program has a sanitizer."
# The course's own settings, as in `environment`, come last and take precedence.
_START = f"""\
if ! [ -e "$0" ]
then
    echo "cannot start: [Errno 2] No such file or directory: '$0'" >&2
    exit 127
fi
if grep -Eqs '(__|lib)(a|l|m|t|ub)san(_|[.]so)' "$0"
then
    export ASAN_OPTIONS="color=never:allocator_may_return_null=1:$ASAN_OPTIONS"
    export LSAN_OPTIONS="color=never:$LSAN_OPTIONS"
    export UBSAN_OPTIONS="color=never:print_stacktrace=1:$UBSAN_OPTIONS"
    printf %s '{_SANITIZED}' >&3
else
    ulimit -d {{kilobytes}}
fi
unset OLDPWD SHLVL
exec "$0" "$@" 3>&-
"""
_REPORT = re.compile(
    r"^(?:AddressSanitizer:DEADLYSIGNAL\n)?(?:\n?=+\n)?==\d+==ERROR: \w+Sanitizer: (?s:.*)"
    r"|^.*: runtime error: .*\n(?: +#\d+ .*\n)*(?:\n?SUMMARY: UndefinedBehaviorSanitizer: .*\n?)?\n?",
    re.M,
)


@dataclass(frozen=True, kw_only=True)
class _StartedReport(ErrorReport):
    """The report of a program that may have a sanitizer, which is detected when it starts."""

    memory_bytes: int

    def launch(self, launch: Launch) -> Launch:
        """Return a launch that first looks for a sanitizer; a test's own command is started unchanged."""
        if launch.argv[0].startswith("/"):
            return launch
        script = _START.format(kilobytes=self.memory_bytes // 1024)
        return super().launch(replace(launch, argv=("/bin/sh", "-c", script, *launch.argv)))

    def outcome(self, outcome: Outcome, launch: Launch) -> Outcome:
        """Return the outcome with the report, which is removed from the output."""
        if launch.argv[0].startswith("/"):
            return replace(outcome, transcript=self.plain(outcome.transcript, launch))
        if self.socket.finish() != _SANITIZED.encode():
            return outcome
        reports = [match[0] for text in (outcome.errors, outcome.transcript) for match in _REPORT.finditer(text)]
        return replace(
            outcome,
            errors=_REPORT.sub("", outcome.errors),
            transcript=_REPORT.sub("", outcome.transcript),
            typed=tuple(_with_moved_offset(line, outcome.transcript) for line in outcome.typed),
            error_report=self.plain("".join(reports), launch),
        )


def _with_moved_offset(line: TypedLine, transcript: str) -> TypedLine:
    """Return a typed line with its offset in the transcript without reports."""
    return replace(line, offset=len(_REPORT.sub("", transcript[: line.offset])))


class _ValgrindReport(ErrorReport):
    """The report of Valgrind when the course's own command starts it."""

    def launch(self, launch: Launch) -> Launch:
        """Return the launch with the descriptor for valgrind's report."""
        if PurePath(launch.argv[0]).name != _VALGRIND:
            return launch
        first, *words = launch.argv
        return super().launch(replace(launch, argv=(first, "--log-fd=3", "--fullpath-after=", *words)))


class CourseBuild(ErrorWatch):
    """A program built and run by the course's own commands."""

    def __init__(self, recipe: BuildCommands) -> None:
        """Watch the program of this recipe."""
        self._is_under_valgrind = recipe.run[0] == _VALGRIND
        self._is_a_file = "/" in recipe.run[0] and not recipe.run[0].startswith("/")

    def limits(self, limits: Limits) -> Limits:
        """Return the limits of the start, which lowers them for a program without a sanitizer."""
        return replace(limits, data_bytes=SHADOW_BYTES) if self._is_a_file else limits

    @contextmanager
    def report(self, limits: Limits, /) -> Iterator[WatchReport]:
        """Open a report on one run of a program with these limits."""
        with closing(ReportSocket()) as reports:
            if self._is_under_valgrind:
                yield _ValgrindReport(reports, {})
            elif self._is_a_file:
                yield _StartedReport(socket=reports, variables={}, memory_bytes=limits.memory_bytes)
            else:
                yield WatchReport()
