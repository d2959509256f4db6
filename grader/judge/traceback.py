"""Reads the traceback of a Python program out of its output."""

import re
from dataclasses import dataclass

_HEADER = "Traceback (most recent call last):\n"
_FRAME = re.compile(
    r'^  File "(?P<file>[^"\n]+)", line (?P<line>\d+)(?:, in (?P<name>.+))?\n(?:    (?P<code>.+)\n)?', re.M
)
_ERROR = re.compile(r"^(?P<kind>[A-Za-z_][\w.]*)(?:: (?P<message>.*))?$", re.M)
_LONGEST = 200


@dataclass(frozen=True)
class Traceback:
    """The last traceback of an output: the error, and the innermost line of the student's own file."""

    error: str
    message: str
    line: int | None
    code: str

    def __str__(self) -> str:
        said = f"{self.error}: {self.message}" if self.message else self.error
        where = f" in line {self.line}" if self.line else ""
        code = f": `{self.code}`" if self.code else ""
        return f"{said[:_LONGEST]}{where}{code[:_LONGEST]}"


def find_traceback(output: str, program: str) -> Traceback | None:
    """The last traceback in `output`, frames of `program` preferred; a syntax error has no header but counts."""
    start = output.rfind(_HEADER)
    if start < 0:
        start = output.find(f'  File "{program}", line ')
        if start < 0:
            return None
    text = output[start:]
    frames = list(_FRAME.finditer(text))
    own = [frame for frame in frames if frame["file"] == program]
    last = own[-1] if own else None
    errors = list(_ERROR.finditer(text, frames[-1].end() if frames else len(_HEADER)))
    named = [error for error in errors if error["kind"][0].isupper() or "." in error["kind"]]
    if not named:
        return None
    return Traceback(
        error=named[0]["kind"],
        message=named[0]["message"] or "",
        line=int(last["line"]) if last else None,
        code=(last["code"] or "").strip() if last else "",
    )
