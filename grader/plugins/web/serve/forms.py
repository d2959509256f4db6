"""Reads the forms of the pages, and checks a marker's decision and the values seen before anything is written."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from urllib.parse import parse_qsl

from starlette.requests import Request

from grader.class_files.requests import subjects_of
from grader.errors import GraderError, quoted
from grader.model.assignment import Assignment
from grader.model.judgement import Verdict
from grader.model.mark import InstructorDecision, MarkOverride, VerdictOverride
from grader.model.regrade import RegradeRequest, RequestState
from grader.model.results import StudentComment
from grader.plugins.web.serve.editing.decisions import (
    CommentSubject,
    DecideOverride,
    DecideRule,
    Decision,
    GivePoints,
    RuleDecision,
    SayToGroup,
    SayToStudent,
    WriteRequest,
)

MAX_BYTES = 200_000
"""The maximum length of a form."""
_MAX_FIELDS = 40
_DIGITS = 16
_MAX_DIGITS = 9


class FormError(GraderError):
    """A form contains an unusable value; the message says what to write instead, and `field` is at fault, if any."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True, kw_only=True)
class FormContext:
    """The context for reading a form: the assignment, the marker's name, and the students and requests.

    `files_of` returns a student's files by the names shown.
    """

    assignment: Assignment
    by: str
    student_at: Callable[[str], str | None]
    digest_of: Callable[[str], str]
    files_of: Callable[[str], Mapping[str, str]]
    requests: Mapping[str, RegradeRequest]


async def fields_of_form(request: Request) -> dict[str, str]:
    """Return the fields of a form by name. Raises FormError if it is too long or not a form."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BYTES:
            raise FormError(f"This is too long; expected at most {MAX_BYTES} bytes.")
    try:
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=_MAX_FIELDS)
    except ValueError:
        raise FormError("This is no form of these pages.") from None
    return {name: value.replace("\r\n", "\n").replace("\r", "\n") for name, value in pairs}


def decision_in(kind: str, fields: Mapping[str, str], context: FormContext) -> Decision:
    """Return the decision in a form of this kind. Raises FormError."""
    match kind:
        case "points":
            return _points(fields, context)
        case "rule":
            return _rule(fields, context)
        case "mark":
            return _mark(fields, context)
        case "verdict":
            return _verdict(fields, context)
        case "comment":
            return SayToGroup(fields.get("group", ""), _text(fields.get("comment", "")) or None)
        case "remark":
            return _remark(fields, context)
        case "request":
            return _request(fields, context)
    raise FormError(f"There is no decision {quoted(kind)}.")


def _points(fields: Mapping[str, str], context: FormContext) -> Decision:
    items = {item.id: item for item in context.assignment.manual}
    item = items.get(fields.get("item", ""))
    if item is None:
        raise FormError("There is no such item in the assignment.")
    text = fields.get("points", "").strip()
    points = _number(text, item.marks, "points") if text else None
    return GivePoints(_student(fields, context), item.id, points)


def _rule(fields: Mapping[str, str], context: FormContext) -> Decision:
    rules = [rule.id for rule in context.assignment.rules if rule.asks]
    rule, ruling = fields.get("rule", ""), fields.get("decision", "")
    if rule not in rules or ruling not in ("", *RuleDecision):
        raise FormError("There is no such rule that asks, or no such decision.")
    return DecideRule(_student(fields, context), rule, RuleDecision(ruling) if ruling else None)


def _mark(fields: Mapping[str, str], context: FormContext) -> Decision:
    student = _student(fields, context)
    if fields.get("take_back"):
        return DecideOverride(student, test=None, override=None)
    mark = _number(fields.get("mark", ""), context.assignment.highest_mark, "mark")
    return DecideOverride(student, test=None, override=MarkOverride(mark, _why(fields, student, context)))


def _verdict(fields: Mapping[str, str], context: FormContext) -> Decision:
    student, test = _student(fields, context), fields.get("test", "")
    if test not in {candidate.id for candidate in context.assignment.tests}:
        raise FormError("Choose the test that is decided.", "test")
    if fields.get("take_back"):
        return DecideOverride(student, test, override=None)
    verdict = fields.get("verdict", "")
    if verdict not in set(Verdict) - {Verdict.INTERNAL_ERROR}:
        raise FormError("Choose the verdict.", "verdict")
    percent = fields.get("percent", "").strip()
    # Files have four decimal places, also for shares.
    score = round(_number(percent, Decimal(100), "percent") / 100, 4) if percent else None
    override = VerdictOverride(test, Verdict(verdict), score, _why(fields, student, context))
    return DecideOverride(student, test, override)


def _request(fields: Mapping[str, str], context: FormContext) -> Decision:
    earlier = context.requests.get(fields.get("request", ""))
    if earlier is not None:
        state = RequestState(fields.get("state", "")) if fields.get("state") in set(RequestState) else None
        answer = _text(fields.get("answer", ""))
        if state is None or (answer == "") != (state is RequestState.OPEN):
            raise FormError(
                "Write an answer and say whether the request is followed; an open request has no answer.", "answer"
            )
        return WriteRequest(replace(earlier, state=state, answer=answer, by=context.by if answer else ""))
    text, about = _text(fields.get("text", "")), fields.get("about", "")
    if not text:
        raise FormError("Write what the student asks to have looked at.", "text")
    number = max((int(name) for name in context.requests if name.isdecimal()), default=0) + 1
    student = _student(fields, context)
    return WriteRequest(RegradeRequest(id=str(number), student=student, about=about or None, text=text))


def _remark(fields: Mapping[str, str], context: FormContext) -> Decision:
    student, text = _student(fields, context), _text(fields.get("comment", ""))
    file, line, about = (fields.get(name, "").strip() for name in ("file", "line", "about"))
    subject = CommentSubject(about=about or None)
    if file:
        files = context.files_of(student)
        if file not in files:
            raise FormError(f"There is no file {quoted(file)} of this student.", "file")
        if not (line.isascii() and line.isdecimal() and 0 < len(line) <= _MAX_DIGITS and int(line)):
            raise FormError(f"Found {quoted(line)}; expected the number of a line, from 1.", "line")
        subject = CommentSubject(files[file], int(line))
    elif about and about not in subjects_of(context.assignment):
        raise FormError(f"There is no test, item or rule {quoted(about)} in the assignment.", "about")
    if fields.get("take_back"):
        text = ""
    elif not text and not fields.get("seen"):
        raise FormError("Write the comment: the student reads it.", "comment")
    remark = StudentComment(text=text, file=subject.file, line=subject.line, about=subject.about, by=context.by)
    return SayToStudent(student, subject, remark if text else None)


def _student(fields: Mapping[str, str], context: FormContext) -> str:
    student = context.student_at(fields.get("student", ""))
    if student is None:
        raise FormError("There is no such student in the class.")
    return student


def _number(text: str, most: Decimal, what: str) -> Decimal:
    try:
        number = Decimal(text.strip().replace(",", ".")) if text.isascii() else None
    except InvalidOperation:
        number = None
    if number is None or not number.is_finite() or not 0 <= number <= most or number != round(number, 4):
        raise FormError(f"Found {quoted(text)}; expected {what} from 0 to {most}, such as 1.5.", what)
    return number


def _why(fields: Mapping[str, str], student: str, context: FormContext) -> InstructorDecision:
    reason = " ".join(fields.get("reason", "").split())
    if not reason or not reason.isprintable():
        raise FormError("Write the reason in words: the student reads it.", "reason")
    digest = context.digest_of(student)[:_DIGITS] if fields.get("this_submission") else None
    return InstructorDecision(reason, context.by, digest or None)


def _text(text: str) -> str:
    """Strip the text and the ends of its lines, as in files."""
    return "\n".join(line.rstrip() for line in text.strip().split("\n"))
