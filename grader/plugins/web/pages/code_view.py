"""The submitted files on a student's page: highlighted, with remarks below their lines.

Remarks come from tracebacks, compilers, sanitizers and rules, from people, and from findings of plugins.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from operator import itemgetter

from markupsafe import Markup, escape
from pygments.lexer import Lexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, _TokenType

from grader.files.source_text import NoSourceError, NoSourceReason, source_text
from grader.judge.found_errors import found_errors
from grader.judge.stack_trace import telling_traceback
from grader.model.finding import FindingView, LineMark, LineRemark, LineRemarks
from grader.model.judgement import Verdict
from grader.model.outcome import CodeLine
from grader.model.results import StudentResult, TestResult
from grader.model.submission import SubmittedFile
from grader.reports.html.text import MAX_LINES, code_line, more_lines, shown, visible_in_page
from grader.text.code_tokens import is_kind, lexer_for, plain_lexer, takes_long
from grader.text.language import in_language
from grader.text.sentence import say
from grader.text.words import some_of

_MAX_TESTS = 4
_KINDS = (
    (Comment, "t-comment"),
    (String, "t-string"),
    (Number, "t-number"),
    (Keyword, "t-keyword"),
    (Operator.Word, "t-keyword"),
    (Name.Function, "t-name"),
    (Name.Class, "t-name"),
    (Name.Decorator, "t-name"),
    (Name.Builtin, "t-builtin"),
)
_WHY_NOT = {
    NoSourceReason.GONE: say("The file is not there any more."),
    NoSourceReason.NO_TEXT: say("This is no text."),
    NoSourceReason.TOO_LONG: say("The file is too long to be shown."),
}
_COMPILER = re.compile(r"^(?P<file>[^\s:]+):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<words>.{1,200})", re.M)
_MAX_ERRORS = 20


@dataclass(frozen=True, kw_only=True)
class CodeFile:
    """A submitted file: its lines, how many of them have remarks, and the reason if they are not shown."""

    name: str
    code: Markup
    lines: int
    remarks: int
    not_shown: str


@dataclass(frozen=True)
class CodeView:
    """A student's files, and the anchor of each line that is shown."""

    files: Sequence[CodeFile]
    anchors: Mapping[CodeLine, str]

    def anchor(self, file: str, line: int | None) -> str:
        """Return the anchor of a line, or an empty string if it is not shown."""
        return "" if line is None else self.anchors.get(CodeLine(file, line), "")


def code_view(row: StudentResult, findings: Iterable[FindingView]) -> CodeView:
    """Return a student's files with all remarks on their lines, including `findings`."""
    remarks: dict[CodeLine, list[LineRemark]] = defaultdict(list)
    marks: dict[CodeLine, list[LineMark]] = defaultdict(list)
    for place, remark in (
        *_remarks_of_failures(row.graded.results),
        *_remarks_of_rules(row),
        *_remarks_of_comments(row),
    ):
        remarks[place].append(remark)
    for finding in findings:
        for place, more in finding.remarks.items():
            remarks[place] += more
        for place, mark in finding.marks.items():
            marks[place].append(mark)
    files: list[CodeFile] = []
    anchors: dict[CodeLine, str] = {}
    for number, file in enumerate(row.graded.submission.files, 1):
        lines, why = _lines_of(file)
        marked_places = [
            place for place in {**remarks, **marks} if place.file == file.name and 0 < place.line <= len(lines)
        ]
        shown_lines = range(1, min(len(lines), MAX_LINES) + 1)
        anchors |= {CodeLine(file.name, line): line_anchor(number, line) for line in shown_lines}
        code = Markup("\n".join(_code(file.name, lines, remarks, marks, anchors)))
        files.append(CodeFile(name=file.name, code=code, lines=len(lines), remarks=len(marked_places), not_shown=why))
    return CodeView(files, anchors)


def line_anchor(file: int, line: int) -> str:
    """Return the anchor of a line in a student's first, second, ... file."""
    return f"code-{file}-{line}"


def _lines_of(file: SubmittedFile) -> "tuple[tuple[Markup, ...], str]":
    """Return the lines of a file as HTML, and the reason if they cannot be shown."""
    try:
        return _highlighted(file.name, source_text(file.path)), ""
    except NoSourceError as error:
        return (), _WHY_NOT[error.reason]


@lru_cache(maxsize=64)
def _highlighted(name: str, source: str) -> tuple[Markup, ...]:
    """Return the lines of a file as HTML. Provided modules are the same in many submissions."""
    text = source.replace("\r\n", "\n").replace("\r", "\n")
    tokens = ((_style(kind), value) for kind, value in _lexer_of(name, text).get_tokens(text))
    lines = [""]
    for style, group in groupby(tokens, itemgetter(0)):
        for number, piece in enumerate("".join(value for _, value in group).split("\n")):
            if number:
                lines.append("")
            if piece:
                html = str(shown(piece))
                lines[-1] += f'<span class="{style}">{html}</span>' if style else html
    # The final newline does not begin a line.
    return tuple(map(Markup, lines[:-1] if not lines[-1] else lines))


@cache
def _style(kind: _TokenType) -> str:
    return next((style for token, style in _KINDS if is_kind(kind, token)), "")


def _code(
    name: str,
    lines: Sequence[Markup],
    remarks: LineRemarks,
    marks: Mapping[CodeLine, Sequence[LineMark]],
    anchors: Mapping[CodeLine, str],
) -> Iterator[str]:
    for number, code in enumerate(lines[:MAX_LINES], 1):
        place = CodeLine(name, number)
        marks_here, remarks_here = marks.get(place, ()), remarks.get(place, ())
        kinds = " ".join(dict.fromkeys([*(each.kind for each in remarks_here), *(each.kind for each in marks_here)]))
        yield code_line(number, code, kinds, "".join(map(_sign, marks_here)), anchors.get(place, ""))
        yield from map(_remark_html, remarks_here)
    yield more_lines(len(lines))


def _sign(mark: LineMark) -> str:
    return f'<b class="rank"><span class="out">{escape(mark.meaning)} </span>{escape(mark.sign)}</b>'


def _remark_html(remark: LineRemark) -> str:
    words = escape(visible_in_page(in_language(remark.words)))
    kind = f"{remark.kind} instructor" if remark.private else remark.kind
    return f'<p class="remark {kind}"><a href="{escape(remark.link)}">{words}</a></p>'


def _remarks_of_rules(row: StudentResult) -> Iterator[tuple[CodeLine, LineRemark]]:
    shown_rules = {result.rule.id for result in row.told_rules}
    for number, result in enumerate(row.graded.rules, 1):
        for finding in result.findings:
            if finding.line is not None:
                words = f"{result.rule.id}: {in_language(finding.message)}"
                yield (
                    CodeLine(finding.file, finding.line),
                    LineRemark("rule", words, f"#broken-{number}", private=result.rule.id not in shown_rules),
                )


def _remarks_of_comments(row: StudentResult) -> Iterator[tuple[CodeLine, LineRemark]]:
    for comment in row.remarks:
        if comment.file is not None and comment.line is not None:
            for line in filter(None, map(str.strip, comment.text.splitlines())):
                yield CodeLine(comment.file, comment.line), LineRemark("said", line, "#comments")


def _remarks_of_failures(results: Iterable[TestResult]) -> Iterator[tuple[CodeLine, LineRemark]]:
    """Yield the places that failures point at; equal remarks from several tests appear once."""
    tests: dict[tuple[CodeLine, str], list[str]] = defaultdict(list)
    for result in results:
        for place, words in failure_places(result):
            if result.test.id not in tests[place, words]:
                tests[place, words].append(result.test.id)
    for (place, words), names in tests.items():
        sentence = say("{words} (in {tests})", words=words, tests=some_of(names, _MAX_TESTS))
        yield place, LineRemark("crash", sentence, f"#test-{names[0].replace(' ', '-')}")


def failure_places(result: TestResult) -> Iterator[tuple[CodeLine, str]]:
    """Yield the lines that a failure points at, each with a description of the fault."""
    outcome = result.outcome
    if outcome is None or result.verdict is Verdict.PASSED:
        return
    if outcome.in_build:
        for _, match in zip(range(_MAX_ERRORS), _COMPILER.finditer(outcome.transcript), strict=False):
            yield CodeLine(match["file"], int(match["line"][:9])), match["words"]
    if result.verdict is Verdict.CRASH:
        trace = telling_traceback(result.test, outcome.errors or outcome.transcript)
        if trace and trace.line is not None:
            yield CodeLine(trace.file, trace.line), f"{trace.error}: {trace.message}" if trace.message else trace.error
    for error in found_errors(outcome.error_report):
        if error.file is not None and error.line is not None:
            yield CodeLine(error.file, error.line), say("The program {does}", does=error.what)


def _lexer_of(file: str, text: str) -> Lexer:
    """Return the lexer for `text` in a file with this name, or the plain lexer if another would take too long."""
    return plain_lexer() if takes_long(file, text) else lexer_for(file)
