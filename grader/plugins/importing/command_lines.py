"""Command lines of other systems: commands that start a program or build one, and lines that need a shell."""

import re
import shlex
from dataclasses import dataclass
from pathlib import PurePosixPath

_QUOTED = re.compile(r"'[^']*'|\"[^\"$`\\]*\"")
_SHELL_ALONE = re.compile(r"[$`*?{\\]|\[[^\]]*\]|(?:^|\s)[~#!]", re.MULTILINE)
_PUNCTUATION = frozenset("();<>|&")
_AND_THEN = ("&&", ";")
_COMPILERS = ("gcc", "g++", "clang", "clang++", "cc", "c++", "rustc")
_SOURCES = (".c", ".cc", ".cpp", ".cxx", ".rs")
_INTERPRETERS = {"node": ".js", "ruby": ".rb", "php": ".php", "bash": ".sh", "sh": ".sh"}
_PYTHON = re.compile(r"python(?:3(?:\.\d+)?)?$")

Words = tuple[str, ...]


@dataclass(frozen=True)
class Start:
    """A start of a program: its file, the command before its arguments (empty for the usual one), and the arguments."""

    file: str
    run: Words
    args: Words


@dataclass(frozen=True)
class Build:
    """A build command: the sources that it names, and the executable or class that it creates."""

    command: Words
    sources: Words
    makes: str


def plain_commands(text: str) -> tuple[Words, ...] | None:
    """Return the successive commands of a text, or None if only a shell understands it."""
    if _SHELL_ALONE.search(_QUOTED.sub("", text)):
        return None
    commands: list[list[str]] = [[]]
    for line in text.splitlines():
        commands.append([])
        for token in _tokens(line) or ("|",):
            if token in _AND_THEN:
                commands.append([])
            elif _PUNCTUATION.issuperset(token):
                return None
            else:
                commands[-1].append(token)
    plain = tuple(tuple(command) for command in commands if command)
    return None if any("=" in command[0] for command in plain) else plain


def _tokens(line: str) -> list[str] | None:
    """Return the words of a line, or None if a quote is never closed."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        return [token for token in lexer if token] or [";"]
    except ValueError:
        return None


def started(command: Words) -> Start | None:
    """Return the program that a command starts, or None if it is not a student's program of a known kind."""
    name, words = command[0], command[1:]
    if _PYTHON.fullmatch(name):
        while words and words[0].startswith("-") and words[0] not in ("-m", "-c"):
            words = words[1:]
        return Start(words[0], (), words[1:]) if words and words[0].endswith(".py") else None
    if name == "java":
        return _java(words)
    if name in _INTERPRETERS:
        is_script = bool(words) and words[0].endswith(_INTERPRETERS[name])
        return Start(words[0], (name, words[0]), words[1:]) if is_script else None
    return Start(name[2:], (name,), words) if name.startswith("./") else None


def _java(words: Words) -> Start | None:
    number = 0
    while number < len(words) and words[number].startswith("-"):
        number += 2 if words[number] in ("-cp", "-classpath", "--class-path") else 1
    if number >= len(words):
        return None
    name = words[number].removesuffix(".java")
    run = ("java", *words[: number + 1]) if number else ()
    return Start(f"{name.replace('.', '/')}.java", run, words[number + 1 :])


def built(command: Words) -> Build | None:
    """Return the build that a compiler command makes, or None for any other command."""
    name = PurePosixPath(command[0]).name
    if name == "javac":
        sources = tuple(word for word in command if word.endswith(".java"))
        return Build(command, sources, PurePosixPath(sources[-1]).stem) if sources else None
    if name not in _COMPILERS:
        return None
    sources = tuple(word for word in command[1:] if word.endswith(_SOURCES))
    output = command[command.index("-o") + 1 :][:1] if "-o" in command else ("a.out",)
    return Build(command, sources, output[0].removeprefix("./")) if sources and output else None
