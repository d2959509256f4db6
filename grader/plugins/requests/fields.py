"""Finds the fields of a form in a message: the student, the subject, and the request."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_FIELD = re.compile(
    r"\s*+(?:#{1,6}\s*+(?P<heading>student|about|request)\s*+:?\s*+$|[*_]*+(?P<name>student|about|request)[*_]*+\s*+:[*_]*+)",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_NOTHING = frozenset({"_no response_", "none", "the mark as a whole", ""})
_SIGNATURE = ("--", "-- ")


@dataclass(frozen=True)
class FormFields:
    """The fields of one request, and the line of the text where it begins, from 1."""

    line: int
    texts: Mapping[str, str] = field(default_factory=dict)

    def get(self, name: str) -> str:
        """Return the text of a field, or an empty string if it was left blank."""
        text = self.texts.get(name, "").strip()
        return "" if text.lower() in _NOTHING else text


def form_fields(text: str) -> list[FormFields]:
    """Return the requests in a message; a message without the fields of a form is a single request."""
    # A removed comment keeps its newlines, so that line numbers stay the same. An unclosed comment does not count.
    end = text.rfind("-->") + 3 if "-->" in text else 0
    plain = _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text[:end]) + text[end:]
    blocks = [FormFields(line, _joined(lines)) for line, lines in _request_blocks(plain)]
    asked = [block for block in blocks if "request" in block.texts]
    return asked or [FormFields(1, {"request": _without_signature(plain)})]


def _request_blocks(text: str) -> Iterator[tuple[int, dict[str, list[str]]]]:
    """Yield the line where each request begins, and the lines of its fields.

    The student is taken from the previous request.
    """
    block: dict[str, list[str]] = {}
    begins, current = 1, ""
    for number, line in enumerate(text.splitlines(), 1):
        if line in _SIGNATURE:
            break
        match = _FIELD.match(line)
        if match is None:
            if current:
                block[current].append(line)
            continue
        current = (match["heading"] or match["name"]).lower()
        if "request" in block and current in (*block, "student", "about"):
            yield begins, block
            block = {"student": block.get("student", [])}
            begins = number
        begins = begins if block else number
        block[current] = [line[match.end() :]]
    yield begins, block


def _joined(lines: Mapping[str, list[str]]) -> dict[str, str]:
    return {name: "\n".join(lines_of_field).strip() for name, lines_of_field in lines.items()}


def _without_signature(text: str) -> str:
    lines = text.splitlines()
    end = next((number for number, line in enumerate(lines) if line in _SIGNATURE), len(lines))
    return "\n".join(lines[:end]).strip()
