"""Builds a program with sanitizers unless its source hides from them: `python3 -I FILE COMPILER -o NAME ARGUMENTS...`.

A sanitizer is part of the program, so the source can disable it. The compiler expands the macros in the source, and any
attempt to hide is reported like an error of the compiler. The students' Python runs this file by its path.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

_PLACE = re.compile(r'^# \d+ "[^\n]*\n', re.MULTILINE)
_TOKEN = re.compile(
    r'(?P<place>^# (?P<number>\d+) "(?P<file>(?:\\.|[^"\\\n])*)"(?P<flags>[^\n]*)\n)'
    r"|^#(?P<pragma>[^\n]*)|(?P<end>\n)"
    r'|(?P<raw>(?:u8|[uUL])?R"(?P<mark>[^()\s\\"]*)\((?P<inside>(?s:.*?))\)(?P=mark)")'
    r'|(?:u8|[uUL])?"(?P<string>(?:\\.|[^"\\\n])*)"|' + r"'(?:\\.|[^'\\\n])*'|\.?\d(?:[eEpP][+-]|[\w.'])*"
    r"|(?P<name>[A-Za-z_$][\w$]*)|(?P<sign>[\[\](){};])",
    re.MULTILINE,
)

_HIDING_NAME = re.compile(
    r"_*no_sanitize\w*|_*no_address_safety_analysis_*|_*disable_sanitizer_instrumentation_*|__seg_[fg]s"
    r"|__(?:asan|lsan|ubsan|sanitizer|interceptor)_\w*"
)

# With these, the compiler leaves out checks. They may be spelled with a backslash.
_HIDING_OPTION = re.compile(r"wrapv|sanitize|strict-overflow|\\")
_OPTIMIZE = re.compile(r"\b(?:__optimize__|optimize)\b")
# Other names for the functions of a sanitizer.
_RENAMING = re.compile(r"\b_*(?:weakref|alias|ifunc|symver)_*\b")
# A student's header can claim to be a system header, and the warning about line markers can be turned off.
_HIDING_PRAGMA = re.compile(r"system_header|pedantic|redefine_extname|\bweak\b")
_LINE_MARKER = "style of line directive"
# System headers are long, and may contain assembly.
_HINT = re.compile(rf"{_HIDING_NAME.pattern}|optimize\b")
_ASSEMBLY = {"asm", "__asm", "__asm__"}
# The C library functions that are called by the code built into a program. A student's function would replace them.
_CALLED = {"dl_iterate_phdr", "dladdr", "dlopen", "longjmp"}
_LONGEST_ATTRIBUTE = 200


@dataclass(frozen=True)
class _Token:
    """A piece of a source: a `pragma`, `string`, `name` or `sign`, and its place."""

    kind: str
    text: str
    file: str
    line: int


def hiding_places(source: str) -> Iterator[tuple[str, int, str]]:
    """Yield the file, line and description of everything that hides from sanitizers in a source without macros."""
    tokens = list(_tokens(source))
    for place, token in enumerate(tokens):
        if _hides(token, tokens[place + 1 : place + 1 + _LONGEST_ATTRIBUTE]):
            yield token.file, token.line, token.text


def _tokens(source: str) -> Iterator[_Token]:
    trusted, file, line, place = [False], "", 1, 0
    while match := _TOKEN.search(source, place):
        place, kind = match.end(), match.lastgroup
        if kind == "place":
            file, line = match["file"], int(match["number"])
            _enter(trusted, file, match["flags"].split())
            following = _PLACE.search(source, place) if trusted[-1] else None
            end = following.start() if following else len(source)
            if trusted[-1] and not _HINT.search(source, place, end):
                place = end
        elif kind in ("end", "raw"):
            if kind == "raw":
                yield _Token("string", match["inside"], file, line)
            line += match[0].count("\n")
        elif kind and not (trusted[-1] and (kind == "pragma" or match[0] in _ASSEMBLY)):
            yield _Token(kind, match[kind], file, line)


def _enter(trusted: list[bool], file: str, flags: Sequence[str]) -> None:
    """Note whether a file that begins here is a system header; when it ends, the including file continues."""
    if "1" in flags:
        path = Path(file)
        trusted.append("3" in flags and path.is_absolute() and Path.cwd() not in path.resolve().parents)
    elif "2" in flags and len(trusted) > 1:
        trusted.pop()


def _hides(token: _Token, following: Sequence[_Token]) -> bool:
    if token.kind == "pragma":
        joined = re.sub(r'"\s*"', "", token.text)
        option = _OPTIMIZE.search(joined) and _HIDING_OPTION.search(joined)
        return bool(_HIDING_NAME.search(joined) or _HIDING_PRAGMA.search(joined) or option)
    if token.kind != "name":
        return False
    if token.text in ("__attribute__", "__attribute", "gnu", "__gnu__"):
        inside = _inside(following)
        if inside is None:
            return True
        return bool((_OPTIMIZE.search(inside) and _HIDING_OPTION.search(inside)) or _RENAMING.search(inside))
    if token.text in _ASSEMBLY:
        return _is_assembly(following)
    return bool(_HIDING_NAME.fullmatch(token.text))


def _inside(following: Sequence[_Token]) -> str | None:
    """Return the text of an attribute, joining adjacent strings, or None if it is too long."""
    depth, pieces = 0, []
    for token in following:
        depth += (token.text in "([{") - (token.text in ")]}") if token.kind == "sign" else 0
        pieces.append(token.text if token.kind == "string" else f" {token.text} ")
        if token.kind == "sign" and (depth < 0 or (depth == 0 and token.text == ")")):
            return "".join(pieces)
    return None if len(following) == _LONGEST_ATTRIBUTE else "".join(pieces)


def _is_assembly(following: Sequence[_Token]) -> bool:
    """Return whether `asm` has instructions, judging by the text after it, because in C it can also be a name."""
    nothing = _Token("", "", "", 0)
    first, second = (*following[:2], nothing, nothing)[:2]
    return first.kind == "name" or (first.text == "(" and second.kind == "string")


def _source_without_macros(compiler: str, arguments: Sequence[str], own_file: str) -> tuple[str, str | None]:
    """Return the student's sources as preprocessed by the compiler, and its remark on a line marker in them.

    A line marker, such as `# 1 "/usr/include/x.h" 3`, could claim that a text comes from a system header.
    """
    plain = [word for word in arguments if word != own_file and not word.startswith(("-l", "-Wl,"))]
    command = [compiler, "-E", "-pedantic", *plain]
    run = subprocess.run(command, capture_output=True, check=False, env={**os.environ, "LC_ALL": "C"})
    markers = (line for line in run.stderr.decode("utf-8", "replace").split("\n") if _LINE_MARKER in line)
    return run.stdout.decode("utf-8", "replace"), next(markers, None)


def _own_versions(program: str) -> list[str]:
    """Return the functions of the C library that a program replaces with its own."""
    reader = shutil.which("nm")
    if reader is None:
        return []
    run = subprocess.run([reader, "--defined-only", program], capture_output=True, check=False)
    return sorted(_CALLED.intersection(run.stdout.decode("utf-8", "replace").split()))


def main(own_file: str, compiler: str, output: str, name: str, *arguments: str) -> None:
    """Build the program, or exit with status 1. The file `own_file` is the grader's, not the student's."""
    count = 0
    is_sanitized = any(word.startswith("-fsanitize=") for word in arguments)
    source, marker = _source_without_macros(compiler, arguments, own_file) if is_sanitized else ("", None)
    if marker is not None:
        place = marker.split(" warning: ")[0]
        os.write(1, f"{place} error: line markers hide from the sanitizers and may not be used here\n".encode())
        count += 1
    for file, line, words in hiding_places(source):
        count += 1
        message = "this hides from the sanitizers and may not be used here"
        os.write(1, f"{file}:{line}: error: {message}: {words.strip()}\n".encode())
    if count:
        sys.exit(1)
    status = subprocess.run([compiler, output, name, *arguments], check=False).returncode
    names = [] if status else _own_versions(name)
    for function in names:
        message = "memory cannot be checked with a function of this name; give it another"
        os.write(1, f"error: {message}: {function}\n".encode())
    sys.exit(1 if names else status)


if __name__ == "__main__":
    main(*sys.argv[1:])
