"""Builds a program with sanitizers unless its source hides from them: `python3 -I FILE COMPILER -o NAME ARGUMENTS...`.

A sanitizer is a part of the program, so a source can keep it from looking. The compiler says how the source reads
without macros, and what hides is an error as those of the compiler. The Python of students runs this file by its path.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_PLACE = re.compile(r'^# (\d+) "([^"\n]*)"([^\n]*)\n', re.MULTILINE)


_TOKEN = re.compile(
    r"^#(?P<pragma>[^\n]*)|(?P<end>\n)"
    r'|(?P<raw>(?:u8|[uUL])?R"(?P<mark>[^()\s\\"]*)\((?s:.*?)\)(?P=mark)")'
    r'|(?:u8|[uUL])?"(?P<string>(?:\\.|[^"\\\n])*)"|' + r"'(?:\\.|[^'\\\n])*'|\.?\d(?:[eEpP][+-]|[\w.'])*"
    r"|(?P<name>[A-Za-z_$][\w$]*)|(?P<sign>[\[\](){};])",
    re.MULTILINE,
)


_HIDING_NAME = re.compile(
    r"_*no_sanitize\w*|_*no_address_safety_analysis_*|_*disable_sanitizer_instrumentation_*|__seg_[fg]s"
    r"|__(?:asan|lsan|ubsan|sanitizer|interceptor)_\w*"
)


# With these the compiler leaves out checks, and a backslash may spell them.
_HIDING_OPTION = re.compile(r"wrapv|sanitize|strict-overflow|\\")


_OPTIMIZE = re.compile(r"\b(?:__optimize__|optimize)\b")


# Headers of the system are long, and may have assembly.
_HINT = re.compile(rf"{_HIDING_NAME.pattern}|optimize\b")


_ASSEMBLY = {"asm", "__asm", "__asm__"}


_LONGEST_ATTRIBUTE = 200


@dataclass(frozen=True)
class _Token:
    """A piece of a source: a `pragma`, `string`, `name` or `sign`, and its place."""

    kind: str
    text: str
    file: str
    line: int


_NOTHING = _Token("", "", "", 0)


def hiding_places(source: str) -> Iterator[tuple[str, int, str]]:
    """Yield the file, the line and the words of all that hides from sanitizers in a source without macros."""
    tokens = list(_tokens(source))
    for place, token in enumerate(tokens):
        if _hides(token, tokens[place + 1 : place + _LONGEST_ATTRIBUTE]):
            yield token.file, token.line, token.text


def _tokens(source: str) -> Iterator[_Token]:
    _, *pieces = _PLACE.split(source)
    for first, file, flags, text in zip(*(pieces[part::4] for part in range(4)), strict=True):
        is_of_system = " 3" in flags
        if is_of_system and file.startswith("/") and not _HINT.search(text):
            continue
        line = int(first)
        for match in _TOKEN.finditer(text):
            kind = match.lastgroup
            if kind in ("end", "raw"):
                line += match[0].count("\n")
            elif kind and not (is_of_system and match[0] in _ASSEMBLY):
                yield _Token(kind, match[kind], file, line)


def _hides(token: _Token, following: Sequence[_Token]) -> bool:
    if token.kind == "pragma":
        joined = re.sub(r'"\s*"', "", token.text)
        return bool(_HIDING_NAME.search(joined) or (_OPTIMIZE.search(joined) and _HIDING_OPTION.search(joined)))
    if token.kind != "name":
        return False
    if token.text in ("__attribute__", "__attribute", "gnu", "__gnu__"):
        inside = _inside(following)
        return bool(_OPTIMIZE.search(inside) and _HIDING_OPTION.search(inside)) or '"__asan' in inside
    if token.text in _ASSEMBLY:
        return _is_assembly(following)
    return bool(_HIDING_NAME.fullmatch(token.text))


def _inside(following: Sequence[_Token]) -> str:
    """Return the text of an attribute: strings beside each other are one."""
    depth, pieces = 0, []
    for token in following:
        depth += (token.text in "([{") - (token.text in ")]}") if token.kind == "sign" else 0
        pieces.append(token.text if token.kind == "string" else f" {token.text} ")
        if token.kind == "sign" and (depth < 0 or (depth == 0 and token.text == ")")):
            break
    return "".join(pieces)


def _is_assembly(following: Sequence[_Token]) -> bool:
    """Say whether `asm` has instructions, by what follows: in C it may also be a name."""
    first, second = (*(token for token in following[:2]), _NOTHING, _NOTHING)[:2]
    return first.kind == "name" or (first.text == "(" and second.kind == "string")


def _source_without_macros(compiler: str, arguments: Sequence[str], own: str) -> str:
    """Return what the compiler makes of the sources of the student; it says itself what is wrong with them."""
    plain = [word for word in arguments if word != own and not word.startswith(("-l", "-Wl,"))]
    run = subprocess.run([compiler, "-E", *plain], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return run.stdout.decode("utf-8", "replace")


def main(own: str, compiler: str, output: str, name: str, *arguments: str) -> None:
    """Build the program, or end with status 1; the file `own` is not the student's."""
    count = 0
    for file, line, words in hiding_places(_source_without_macros(compiler, arguments, own)):
        count += 1
        message = "this hides from the sanitizers and may not be used here"
        os.write(1, f"{file}:{line}: error: {message}: {words.strip()}\n".encode())
    if count:
        sys.exit(1)
    os.execvp(compiler, [compiler, output, name, *arguments])


if __name__ == "__main__":
    main(*sys.argv[1:])
