"""The programs that are imported: the reference, and programs with a known result."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.config.yaml_writer import Writable
from grader.plugins.importing.course_draft import CourseDraft, ImportingError
from grader.plugins.importing.languages import LANGUAGES, PYTHON, language_of
from grader.plugins.importing.python_2 import is_python_2
from grader.plugins.importing.source_language import SourceLanguage

_USUAL_MEMORY = 256
"""The memory limit in MiB if none is stated."""

_PUBLIC_CLASS = re.compile(rb"^public\s+(?:(?:final|abstract|strictfp)\s+)*class\s+([A-Za-z_]\w*)", re.MULTILINE)

_CLASS = re.compile(rb"^class\s+([A-Za-z_]\w*)", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class SourceProgram:
    """A program: its files by name, the file to start, and the source files to compile."""

    name: str
    language: SourceLanguage
    main: str
    sources: tuple[str, ...]
    files: Mapping[str, Path]

    def handed_in_as(self, stem: str) -> "SourceProgram":
        """Return the program with its first file called `stem`, unless its language gives the name a meaning."""
        class_name = _class_in(self.files[self.main]) if self.language.keeps_names else stem
        main = f"{class_name or Path(self.main).stem}{self.language.suffixes[0]}"
        names = {name: main if name == self.main else name for name in self.files}
        return SourceProgram(
            name=self.name,
            language=self.language,
            main=names[self.main],
            sources=tuple(names[name] for name in self.sources),
            files={names[name]: file for name, file in self.files.items()},
        )


def _class_in(file: Path) -> str | None:
    """Return the class after which a Java file is named: the public class, or the class with `main`."""
    source = file.read_bytes()
    names = _PUBLIC_CLASS.findall(source) or _CLASS.findall(source.partition(b" void main")[0])
    return names[-1].decode("ascii") if names else None


def read_program(path: Path) -> SourceProgram | None:
    """Read the program in a file or folder; return None if its language is unknown or cannot be run on this machine."""
    files = (
        {path.name: path} if path.is_file() else {file.name: file for file in sorted(path.iterdir()) if file.is_file()}
    )
    kinds = {name: language_of(file) for name, file in files.items()}
    language = next((candidate for candidate in LANGUAGES if candidate in kinds.values()), None)
    if language is None or not language.is_here:
        return None
    sources = tuple(name for name, kind in kinds.items() if kind == language)
    main = next((name for name in sources if Path(name).stem.lower() == "main"), sources[0])
    return SourceProgram(name=path.name, language=language, main=main, sources=sources, files=files)


@dataclass(frozen=True)
class Labelled:
    """A program and its label by the author."""

    label: str
    program: SourceProgram

    def with_usual_commands(self, settings: Mapping[str, Writable]) -> "Labelled":
        """Return the program with the usual commands of its language, which tests of functions need."""
        language = self.program.language.with_usual_commands(settings)
        return replace(self, program=replace(self.program, language=language))


def labelled_programs(labelled_paths: Iterable[tuple[str, Path]], draft: CourseDraft) -> list[Labelled]:
    """Return the programs of files and folders by their labels. Other files are noted."""
    programs: list[Labelled] = []
    for label, path in labelled_paths:
        program = read_program(path)
        if program is None:
            python_2 = path.suffix in PYTHON.suffixes and path.is_file() and is_python_2(path.read_bytes())
            why = "it is written in Python 2" if python_2 else "no language in which it could be run on this machine"
            draft.note(f"{label}/{path.name}: not imported; {why}.")
        else:
            programs.append(Labelled(label, program))
    return programs


@dataclass(frozen=True, kw_only=True)
class ProgramSet:
    """The programs to submit, as an entry with alternatives. `reference` is the program that gives the answers."""

    stem: str
    entry: dict[str, Writable]
    patterns: tuple[str, ...]
    reference: SourceProgram | None
    memory_bytes: int

    @classmethod
    def of(
        cls,
        programs: Sequence[Labelled],
        draft: CourseDraft,
        *,
        right: str,
        stem: str = "",
        language: SourceLanguage = PYTHON,
        answers: str | None = None,
        memory: int = _USUAL_MEMORY,
    ) -> "ProgramSet":
        """Choose the reference among labelled programs, and add all to the draft.

        The reference is the program called `answers`, or else one with the label `right`, preferably in Python.
        Programs may use `memory` MiB. Without any programs, a program in `language` is expected. Raises ImportingError
        if no program is called `answers`.
        """
        stem = stem or _stem(draft.id)
        named = [Labelled(program.label, program.program.handed_in_as(stem)) for program in programs]
        possible = [
            program.program
            for program in named
            if answers == program.program.name or (not answers and program.label == right)
        ]
        if answers and not possible:
            raise ImportingError(f"There is no program {answers} that could be the reference.")
        reference = min(possible, key=lambda program: (_rank(program.language), len(program.name)), default=None)
        for program in named:
            draft.add_labelled(program.label, program.program.name, program.program.files)
        if reference is not None:
            _add_reference(draft, reference)
        entry, patterns = _entry(named, reference, draft, memory)
        if not named:
            entry = language.entry(f"{stem}{language.suffixes[0]}", (), memory)
        languages = [program.program.language for program in named]
        return cls(
            stem=stem,
            entry=entry,
            patterns=patterns,
            reference=reference,
            memory_bytes=max((program.memory_bytes for program in languages), default=0),
        )


def _rank(language: SourceLanguage) -> int:
    return [candidate.name for candidate in LANGUAGES].index(language.name)


def _stem(assignment_id: str) -> str:
    """Return a name for the program, without its suffix, that Python could import."""
    stem = "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in assignment_id)
    return stem if not stem[0].isdigit() else f"program_{stem}"


def _reference_name(draft: CourseDraft, program: SourceProgram) -> str:
    return program.main if program.language.keeps_names else f"{_stem(draft.id)}{Path(program.main).suffix}"


def _add_reference(draft: CourseDraft, program: SourceProgram) -> None:
    for name, file in program.files.items():
        draft.add(f"reference/{_reference_name(draft, program) if name == program.main else name}", file)


def _entry(
    named: Sequence[Labelled], reference: SourceProgram | None, draft: CourseDraft, memory: int
) -> tuple[dict[str, Writable], tuple[str, ...]]:
    """Return the keys of the program, and the patterns of further files. The first entry is for the reference."""
    programs = [item.program for item in named]
    first = reference or next(iter(programs), None)
    if first is None:
        return {}, ()
    entries: dict[str, dict[str, Writable]] = {}
    for program in (first, *programs):
        entry_of_program = program.language.entry(program.main, program.sources, memory)
        earlier = entries.setdefault(program.main, entry_of_program)
        if earlier != entry_of_program:
            draft.note(
                f"{program.name}: handed in with {program.main}, it is built as another program of that name is."
            )
    entry, *others = entries.values()
    if reference is not None and _reference_name(draft, reference) != entry["file"]:
        entry["reference"] = _reference_name(draft, reference)
    run: list[Writable] = [
        item if "run" in item else {**item, "run": ["python3", str(item["file"])]} for item in others
    ]
    patterns = {f"*{Path(name).suffix}" for program in programs for name in program.files if name != program.main}
    return ({**entry, "alternatives": run} if run else entry), tuple(sorted(patterns))
