"""What a call of a function must come to, and how that is kept in a file."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from grader.spec.plain import Plain


@dataclass(frozen=True)
class ExpectedCall:
    """What a call must come to: the values in plain form."""

    returned: Plain
    printed: str
    given: Mapping[str, Plain]

    def text(self) -> str:
        """As it is kept in an expected file: JSON, a line per value."""
        lines = [f' "returned": {_json(self.returned)}', f' "printed": {_json(self.printed)}']
        lines += (f' "given {name}": {_json(value)}' for name, value in self.given.items())
        return "{\n" + ",\n".join(lines) + "\n}\n"


def read_expected_call(text: str) -> ExpectedCall:
    """The inverse of `ExpectedCall.text`. Raises ValueError or KeyError when it is not such a text."""
    content = json.loads(text)
    prefix = "given "
    given = {key.removeprefix(prefix): value for key, value in content.items() if key.startswith(prefix)}
    return ExpectedCall(content["returned"], content["printed"], given)


def _json(value: Plain) -> str:
    # Lone surrogates, which stand for bytes that are not UTF-8, are escaped.
    text = json.dumps(value, ensure_ascii=False)
    return "".join(one if not "\ud800" <= one <= "\udfff" else f"\\u{ord(one):04x}" for one in text)
