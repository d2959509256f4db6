"""Finds the programs in a shell command line, without running it."""

import re
import shlex
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.run.toolchain import SYSTEM_PATH

_OPERATOR = re.compile(r"[();<>|&]+")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_PROGRAM = re.compile(r"[\w./+-]+")
_REDIRECTS = re.compile(r"[<>]")
_OF_PYTHON = ("python", "python3")
_OF_SHELL = frozenset(
    (
        *("!", "(", ")", "{", "}", "if", "then", "else", "elif", "fi", "for", "in", "while", "until", "do", "done"),
        *("case", "esac", ".", ":", "[", "alias", "bg", "break", "cd", "command", "continue", "echo", "eval", "exec"),
        *("exit", "export", "false", "fg", "getopts", "hash", "jobs", "kill", "local", "printf", "pwd", "read"),
        *("readonly", "return", "set", "shift", "source", "test", "times", "trap", "true", "type", "ulimit", "umask"),
        *("unalias", "unset", "wait"),
    )
)


def programs_of(line: str) -> tuple[str, ...]:
    """Return the programs that a line starts itself, in order."""
    return tuple(dict.fromkeys(name for part in line.split("\n") for name in _first_words(_tokens(part))))


def _tokens(line: str) -> Sequence[str]:
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    try:
        return list(lexer)
    except ValueError:
        # A quotation that continues on the next line.
        return ()


def _first_words(tokens: Sequence[str]) -> Iterator[str]:
    is_first, before = True, ""
    for token in tokens:
        if _OPERATOR.fullmatch(token):
            is_first = is_first or not _REDIRECTS.search(token)
        elif is_first and not _ASSIGNMENT.match(token) and not _REDIRECTS.search(before):
            is_first = token in ("!", "{", "if", "then", "else", "elif", "while", "until", "do", "exec", "command")
            if _PROGRAM.fullmatch(token) and token not in _OF_SHELL:
                yield token
        before = token


def not_installed(programs: Sequence[str]) -> str | None:
    """Return the first program that is neither installed nor a file beside the submission, or None."""
    return next((name for name in programs if not _is_installed(name)), None)


def _is_installed(name: str) -> bool:
    if name.startswith("/"):
        return Path(name).exists()
    return "/" in name or name in _OF_PYTHON or shutil.which(name, path=SYSTEM_PATH) is not None
