"""The languages of programs that can be imported."""

from pathlib import Path

from grader.plugins.importing.python_2 import is_python_2
from grader.plugins.importing.source_language import SourceLanguage

_EXECUTABLE = "program"

_WITH_STACK = ("sh", "-c", f'ulimit -Ss {{kib}} && ulimit -d {{kib}} && exec ./{_EXECUTABLE} "$@"', "sh")
"""A program whose stack may be as large as its memory, as contest judges allow.

The additional memory of other languages' runtimes is separate.
"""

PYTHON = SourceLanguage(name="Python", suffixes=(".py", ".py3"), needs="python3")

LANGUAGES = (
    PYTHON,
    SourceLanguage(
        name="C++",
        suffixes=(".cpp", ".cc", ".cxx", ".C", ".c++"),
        needs="g++",
        build=("g++", "-O2", "-std=gnu++20", "-o", _EXECUTABLE, "{main}"),
        run=_WITH_STACK,
    ),
    SourceLanguage(
        name="C",
        suffixes=(".c",),
        needs="gcc",
        build=("gcc", "-O2", "-std=gnu17", "-o", _EXECUTABLE, "{main}", "-lm"),
        run=_WITH_STACK,
    ),
    SourceLanguage(
        name="Java",
        suffixes=(".java",),
        needs="javac",
        build=("javac", "-encoding", "UTF-8", "{main}"),
        run=("java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xss64m", "-Xmx{memory}m", "{stem}"),
        keeps_names=True,
        memory_bytes=1 << 30,
    ),
    SourceLanguage(
        name="JavaScript",
        suffixes=(".js",),
        needs="node",
        run=("node", "{main}"),
        memory_bytes=1 << 30,
    ),
    SourceLanguage(name="Bash", suffixes=(".sh",), needs="bash", run=("bash", "{main}")),
    SourceLanguage(
        name="Rust",
        suffixes=(".rs",),
        needs="rustc",
        build=("rustc", "-O", "-o", _EXECUTABLE, "{main}"),
        run=_WITH_STACK,
    ),
    SourceLanguage(name="Ruby", suffixes=(".rb",), needs="ruby", run=("ruby", "{main}")),
    SourceLanguage(name="PHP", suffixes=(".php",), needs="php", run=("php", "-n", "{main}")),
    SourceLanguage(
        name="Haskell",
        suffixes=(".hs",),
        needs="ghc",
        build=("ghc", "-O2", "-o", _EXECUTABLE, "{main}"),
        run=(f"./{_EXECUTABLE}",),
    ),
    SourceLanguage(
        name="Go",
        suffixes=(".go",),
        needs="go",
        build=("go", "build", "-o", _EXECUTABLE, "{main}"),
        run=(f"./{_EXECUTABLE}",),
    ),
)
"""The languages that can be imported; earlier ones are preferred when a reference is chosen."""


def language_of(file: Path) -> SourceLanguage | None:
    """Return the language of a source file, or None for other files and for Python 2."""
    language_of_suffix = next((language for language in LANGUAGES if file.suffix in language.suffixes), None)
    if language_of_suffix is PYTHON and is_python_2(file.read_bytes()):
        return None
    return language_of_suffix
