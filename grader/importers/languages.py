"""The languages of programs that are imported: how a source file is recognized, built and run."""

import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.config.yaml_writer import Writable

_SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
"""Where programs of the system are looked for when a submission is built and run."""

_EXECUTABLE = "program"

_PUBLIC_CLASS = re.compile(rb"^public\s+(?:(?:final|abstract|strictfp)\s+)*class\s+([A-Za-z_]\w*)", re.MULTILINE)

_PYTHON_2 = re.compile(rb"#!.*python2\b")


@dataclass(frozen=True, kw_only=True)
class Language:
    """A language: in commands `{main}` is the first source file, `{stem}` its name without the ending."""

    name: str
    suffixes: tuple[str, ...]
    needs: str
    build: tuple[str, ...] = ()
    run: tuple[str, ...] = ()
    keeps_names: bool = False
    """Whether the name of a file means something, as that of a Java class."""
    memory_bytes: int = 0
    """What its runtime sets aside, however little the program needs."""

    @property
    def is_here(self) -> bool:
        """Whether this machine can build and run it."""
        return shutil.which(self.needs, path=_SYSTEM_PATH) is not None

    def entry(self, main: str, sources: Sequence[str]) -> dict[str, Writable]:
        """The keys of a program or an alternative in this language."""
        names = {"main": main, "stem": Path(main).stem}
        found: dict[str, Writable] = {"file": main}
        if self.build:
            found["build"] = [word.format(**names) for word in self.build] + [name for name in sources if name != main]
        if self.run:
            found["run"] = [word.format(**names) for word in self.run]
        return found


PYTHON = Language(name="Python", suffixes=(".py", ".py3"), needs="python3")

LANGUAGES = (
    PYTHON,
    Language(
        name="C++",
        suffixes=(".cpp", ".cc", ".cxx", ".C", ".c++"),
        needs="g++",
        build=("g++", "-O2", "-std=gnu++20", "-o", _EXECUTABLE, "{main}"),
        run=(f"./{_EXECUTABLE}",),
    ),
    Language(
        name="C",
        suffixes=(".c",),
        needs="gcc",
        build=("gcc", "-O2", "-std=gnu17", "-o", _EXECUTABLE, "{main}", "-lm"),
        run=(f"./{_EXECUTABLE}",),
    ),
    Language(
        name="Java",
        suffixes=(".java",),
        needs="javac",
        build=("javac", "-encoding", "UTF-8", "{main}"),
        run=("java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xss16m", "-Xmx256m", "{stem}"),
        keeps_names=True,
        memory_bytes=1 << 29,
    ),
    Language(
        name="JavaScript", suffixes=(".js",), needs="node", run=("node", "--stack-size=50000", "{main}"), memory_bytes=1 << 30
    ),
    Language(name="Bash", suffixes=(".sh",), needs="bash", run=("bash", "{main}")),
    Language(
        name="Rust", suffixes=(".rs",), needs="rustc", build=("rustc", "-O", "-o", _EXECUTABLE, "{main}"), run=(f"./{_EXECUTABLE}",)
    ),
    Language(name="Ruby", suffixes=(".rb",), needs="ruby", run=("ruby", "{main}")),
    Language(name="PHP", suffixes=(".php",), needs="php", run=("php", "-n", "{main}")),
    Language(
        name="Haskell", suffixes=(".hs",), needs="ghc", build=("ghc", "-O2", "-o", _EXECUTABLE, "{main}"), run=(f"./{_EXECUTABLE}",)
    ),
    Language(
        name="Go", suffixes=(".go",), needs="go", build=("go", "build", "-o", _EXECUTABLE, "{main}"), run=(f"./{_EXECUTABLE}",)
    ),
)
"""Those that can be imported; the first ones are preferred where a reference is chosen."""


@dataclass(frozen=True, kw_only=True)
class SourceProgram:
    """A program: its files by their names, the one that is started, and those that are compiled."""

    name: str
    language: Language
    main: str
    sources: tuple[str, ...]
    files: Mapping[str, Path]

    def handed_in_as(self, stem: str) -> "SourceProgram":
        """The program with its first file called `stem`, as students hand it in, where its name means nothing."""
        own = _class_in(self.files[self.main]) if self.language.keeps_names else stem
        main = f"{own or Path(self.main).stem}{self.language.suffixes[0]}"
        names = {name: main if name == self.main else name for name in self.files}
        return SourceProgram(
            name=self.name,
            language=self.language,
            main=names[self.main],
            sources=tuple(names[name] for name in self.sources),
            files={names[name]: file for name, file in self.files.items()},
        )


def _class_in(file: Path) -> str | None:
    """The class that a file of Java must be named after."""
    found = _PUBLIC_CLASS.search(file.read_bytes())
    return found[1].decode("ascii") if found else None


def language_of(file: Path) -> Language | None:
    """The language of a source file; None of another file, and of what is written in Python 2."""
    found = next((language for language in LANGUAGES if file.suffix in language.suffixes), None)
    if found is PYTHON and _PYTHON_2.match(file.read_bytes()[:200]):
        return None
    return found


def read_program(path: Path) -> SourceProgram | None:
    """The program in a file or folder; None when its language is not known here or cannot be run on this machine."""
    files = {path.name: path} if path.is_file() else {file.name: file for file in sorted(path.iterdir()) if file.is_file()}
    kinds = {name: language_of(file) for name, file in files.items()}
    language = next((one for one in LANGUAGES if one in kinds.values()), None)
    if language is None or not language.is_here:
        return None
    sources = tuple(name for name, kind in kinds.items() if kind == language)
    main = next((name for name in sources if Path(name).stem.lower() == "main"), sources[0])
    return SourceProgram(name=path.name, language=language, main=main, sources=sources, files=files)
