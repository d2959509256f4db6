"""The programs that are imported: the reference, what may be handed in, and those whose result is known."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.config.yaml_writer import Writable
from grader.importers.course_draft import CourseDraft
from grader.importers.languages import LANGUAGES, PYTHON, SourceProgram, read_program


@dataclass(frozen=True)
class Labelled:
    """A program, and what its author says of it."""

    label: str
    program: SourceProgram


def labelled_programs(found: Iterable[tuple[str, Path]], draft: CourseDraft) -> list[Labelled]:
    """The programs of files and folders by their labels. Others are noted."""
    programs: list[Labelled] = []
    for label, path in found:
        program = read_program(path)
        if program is None:
            draft.note(f"{label}/{path.name}: not imported; its language is not known, or cannot be run on this machine.")
        else:
            programs.append(Labelled(label, program))
    return programs


@dataclass(frozen=True, kw_only=True)
class ProgramSet:
    """What is handed in: the entry of the program, with its alternatives. `reference` is the program that answers."""

    stem: str
    entry: dict[str, Writable]
    patterns: tuple[str, ...]
    reference: SourceProgram | None
    memory_bytes: int

    @classmethod
    def of(cls, programs: Sequence[Labelled], draft: CourseDraft, *, right: str, stem: str = "") -> "ProgramSet":
        """Of labelled programs: the first one with the label `right`, best in Python, is the reference.

        All are put into the draft.
        """
        stem = stem or _stem(draft.id)
        named = [Labelled(one.label, one.program.handed_in_as(stem)) for one in programs]
        answers = [one.program for one in named if one.label == right]
        reference = min(answers, key=lambda one: LANGUAGES.index(one.language), default=None)
        for one in named:
            draft.add_labelled(one.label, one.program.name, one.program.files)
        if reference is not None:
            _add_reference(draft, reference)
        entry, patterns = _entry(named, reference, stem, draft)
        memory = max((one.program.language.memory_bytes for one in named), default=0)
        return cls(stem=stem, entry=entry, patterns=patterns, reference=reference, memory_bytes=memory)


def _stem(assignment_id: str) -> str:
    """The name of the program without its ending: one that Python could import."""
    stem = "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in assignment_id)
    return stem if not stem[0].isdigit() else f"program_{stem}"


def _reference_name(draft: CourseDraft, program: SourceProgram) -> str:
    return program.main if program.language.keeps_names else f"{_stem(draft.id)}{Path(program.main).suffix}"


def _add_reference(draft: CourseDraft, program: SourceProgram) -> None:
    for name, file in program.files.items():
        draft.add(f"reference/{_reference_name(draft, program) if name == program.main else name}", file)


def _entry(
    named: Sequence[Labelled], reference: SourceProgram | None, stem: str, draft: CourseDraft
) -> tuple[dict[str, Writable], tuple[str, ...]]:
    """The keys of the program, and the patterns of further files. The first entry is that of the reference."""
    programs = [one.program for one in named]
    first = reference or next(iter(programs), None)
    if first is None:
        return PYTHON.entry(f"{stem}.py", ()), ()
    entries: dict[str, dict[str, Writable]] = {}
    for program in (first, *programs):
        own = program.language.entry(program.main, program.sources)
        known = entries.setdefault(program.main, own)
        if known != own:
            draft.note(f"{program.name}: handed in with {program.main}, it is built as another program of that name is.")
    entry, *others = entries.values()
    if reference is not None and _reference_name(draft, reference) != entry["file"]:
        entry["reference"] = _reference_name(draft, reference)
    run = [one if "run" in one else {**one, "run": ["python3", str(one["file"])]} for one in others]
    patterns = {f"*{Path(name).suffix}" for program in programs for name in program.files if name != program.main}
    return ({**entry, "alternatives": run} if run else entry), tuple(sorted(patterns))
